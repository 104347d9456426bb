// npm install {PUBLIC_URL}/clients/node.tgz
// PAYMENTS_KEY=svc_sk_test_… WEBHOOK_SECRET=whsec_… node shop.mjs
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Payments, webhookListener } from 'payment-collection-client';

const { PAYMENTS_KEY, WEBHOOK_SECRET, PORT = 3000 } = process.env;
const SHOP_URL = process.env.SHOP_URL ?? `http://localhost:${PORT}`;
const payments = new Payments({ key: PAYMENTS_KEY });

// In your shop a table.
const orders = new Map();

/** The order of this id: however often it is sent, there is one, and one charge. */
async function buy(id) {
  if (!orders.has(id)) orders.set(id, { id, amountKobo: 250_000, status: 'not paid yet' });
  const order = orders.get(id);
  const charge = await payments.charges.create(
    {
      amount_kobo: order.amountKobo,
      email: 'ada@example.com', // whoever is signed in
      reference: id,
      return_url: `${SHOP_URL}/orders/${id}`,
    },
    { idempotencyKey: id },
  );
  order.charge = charge.reference;
  return charge.checkout_url;
}

/** Learnt from the webhook and by look-up, in any order and more than once: acts once. */
function recordPayment(transaction) {
  const order = orders.get(transaction.merchant_reference);
  if (order?.status !== 'not paid yet') return;
  const { amount_kobo: paid } = transaction;
  order.status = paid === order.amountKobo ? 'paid' : 'being looked at';
  if (order.status === 'paid') console.log(`FULFIL ${order.id}`);
  else console.log(`ALERT ${paid} kobo were paid for ${order.id}`);
}

const receive = webhookListener(WEBHOOK_SECRET, ({ type, data }) => {
  if (type === 'charge.succeeded') recordPayment(data);
});

/** The payer is back, or looks again. The address proves nothing, so the service is asked. */
async function statusOf(order) {
  if (order.charge && order.status === 'not paid yet') {
    const { transaction } = await payments.charges.get(order.charge);
    if (['succeeded', 'settled'].includes(transaction?.status)) recordPayment(transaction);
  }
  return order.status;
}

createServer(async (request, response) => {
  const [, page, id = ''] = new URL(request.url, SHOP_URL).pathname.split('/');
  const show = (status, text) =>
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(text);
  try {
    if (page === 'hooks') await receive(request, response);
    else if (page === '')
      show(
        200,
        `<h1>Rice, 5 kg</h1>
        <form method="post" action="/orders/${randomUUID()}"><button>Buy for ₦2,500</button></form>`,
      );
    else if (page !== 'orders' || !/^[\da-f-]{36}$/.test(id)) show(404, 'There is no such page.');
    else if (request.method === 'POST') {
      response.writeHead(303, { Location: await buy(id) }).end();
    } else if (orders.has(id)) {
      show(
        200,
        `<h1>Your order is ${await statusOf(orders.get(id))}.</h1><a href="">Look again</a>`,
      );
    } else show(404, 'There is no such order.');
  } catch (error) {
    console.log(error);
    show(502, 'That did not work. Send it again: you pay once.');
  }
}).listen(PORT, () => console.log(`Open ${SHOP_URL}`));
