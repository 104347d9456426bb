// WEBHOOK_SECRET=whsec_… node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const OLDEST_SECONDS = 300;

/** True when these very bytes were signed with the endpoint's secret, and not long ago. */
function isGenuine(body, header, secret) {
  const parts = String(header)
    .split(',')
    .map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1];
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= OLDEST_SECONDS)) return false;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  // While a secret is rotated there are several v1: one that fits is enough.
  return parts.some(([name, hex]) => {
    const given = Buffer.from(name === 'v1' ? String(hex) : '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

// In your service both are tables; the event's id is unique in the second.
const orders = new Map([['order-1042', { amountKobo: 250_000 }]]);
const seen = new Set();

/** Slow work belongs here, not before the answer. */
function handle(event) {
  if (event.type !== 'charge.succeeded') return;
  const { merchant_reference: name, amount_kobo: paid } = event.data;
  if (orders.get(name)?.amountKobo !== paid)
    console.log(`ALERT ${paid} kobo were paid for ${name}`);
  else console.log(`FULFIL ${name}`);
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks); // the bytes as they came: parsed and written again they would differ
  if (!isGenuine(body, request.headers['service-signature'], process.env.WEBHOOK_SECRET)) {
    return response.writeHead(400).end('This signature does not fit.\n');
  }
  const event = JSON.parse(body);
  const isNew = !seen.has(event.id);
  seen.add(event.id); // kept before the answer: what you answered 200 to is not sent again
  response.writeHead(200).end();
  if (isNew) handle(event);
}).listen(process.env.PORT ?? 8000, () => console.log('Listening'));
