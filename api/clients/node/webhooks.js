import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureError } from './errors.js';

const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 2 ** 20;

/** @type {typeof import('./index.d.ts').verifyWebhook} */
export function verifyWebhook(
  body,
  headers,
  secret,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = {},
) {
  const bytes = bytesOf(body);
  const header =
    headers instanceof Headers ? headers.get('service-signature') : headers['service-signature'];
  if (typeof header !== 'string')
    throw new SignatureError('signature_missing', 'The header Service-Signature is missing');
  const parts = header.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const given = parts
    .filter(([name]) => name === 'v1')
    .map(([, hex]) => Buffer.from(hex ?? '', 'hex'));
  const isGenuine = secretsOf(secret)
    .map((one) => hmac(one, `${time}.`, bytes))
    .some((expected) => given.some((sent) => isSame(sent, expected)));
  if (!isGenuine)
    throw new SignatureError(
      'signature_wrong',
      'The signature does not fit: another secret, or a body that is not as it came',
    );
  if (!(Math.abs(now.getTime() / 1000 - Number(time)) <= toleranceSeconds))
    throw new SignatureError('signature_too_old', `The signature is not of now, but of ${time}`);
  return JSON.parse(bytes.toString());
}

/** @type {typeof import('./index.d.ts').signWebhook} */
export function signWebhook(body, secret, { now = new Date() } = {}) {
  const { id } = JSON.parse(body);
  const time = String(Math.floor(now.getTime() / 1000));
  const secrets = secretsOf(secret);
  const ours = secrets.map((one) => `v1=${hmac(one, `${time}.`, body).toString('hex')}`);
  const standard = secrets.map((one) => {
    const key = Buffer.from(one.replace(/^whsec_/, ''), 'base64');
    return `v1,${hmac(key, `${id}.${time}.`, body).toString('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'service-signature': [`t=${time}`, ...ours].join(','),
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': standard.join(' '),
  };
}

/** @type {typeof import('./index.d.ts').webhookListener} */
export function webhookListener(secret, onEvent, { maxBytes = MAX_BODY_BYTES, ...options } = {}) {
  secretsOf(secret);
  return async (request, response) => {
    // What read the body before, as express.raw(), leaves it here.
    const read = () => request.body ?? readBody(request, maxBytes);
    const { status, text } = await receive(read, request.headers, secret, onEvent, options);
    response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text);
  };
}

/** @type {typeof import('./index.d.ts').webhookRoute} */
export function webhookRoute(secret, onEvent, { maxBytes = MAX_BODY_BYTES, ...options } = {}) {
  secretsOf(secret);
  return async (request) => {
    const read = () => readBody(request.body ?? [], maxBytes);
    const { status, text } = await receive(read, request.headers, secret, onEvent, options);
    return new Response(text, { status });
  };
}

async function receive(read, headers, secret, onEvent, { onError = console.error, ...options }) {
  try {
    await onEvent(verifyWebhook(await read(), headers, secret, options));
    return { status: 200, text: '' };
  } catch (error) {
    onError(error);
    return error instanceof SignatureError
      ? { status: 400, text: `${error.message}\n` }
      : { status: 500, text: '' };
  }
}

/** Reads to the end, whatever its length: a sender whose connection is cut sees no answer. */
async function readBody(chunks, maxBytes) {
  const read = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes <= maxBytes) read.push(chunk);
  }
  if (bytes > maxBytes)
    throw new SignatureError('body_too_long', `The body is longer than ${maxBytes} bytes`);
  return Buffer.concat(read);
}

function bytesOf(body) {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body);
  throw new TypeError(
    'The body was parsed already: a signature needs it as it came, as express.raw() leaves it',
  );
}

function secretsOf(secret) {
  const secrets = [secret].flat();
  if (secrets.length === 0 || !secrets.every((one) => one?.startsWith?.('whsec_')))
    throw new TypeError('secret must be the secret of an endpoint, whsec_…');
  return secrets;
}

const hmac = (key, ...parts) =>
  parts.reduce((sum, part) => sum.update(part), createHmac('sha256', key)).digest();

const isSame = (given, expected) =>
  given.length === expected.length && timingSafeEqual(given, expected);
