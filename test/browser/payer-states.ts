import { disconnectAll } from '../support/connect.ts';
import { openAtProvider } from '../support/open-at-provider.ts';
import { newLink } from '../support/payment-links.ts';
import type { Stack } from '../support/stack.ts';

export interface PayerState {
  url: string;
  title: string;
}

const sale = { amount_kobo: 1_250_050, email: 'ada@example.com', description: 'Two bags of rice' };

export async function payStates(stack: Stack): Promise<Record<string, PayerState>> {
  const create = async (more: object = {}) =>
    (await stack.api.post('/charges', { ...sale, ...more })).json;
  const openOne = async (): Promise<string> => {
    const { reference, checkout_url: url } = await create();
    await openAtProvider(stack, reference);
    return url;
  };
  const put = async (columns: string, more: object = {}): Promise<string> => {
    const { reference, checkout_url: url } = await create(more);
    const number = Number(reference.slice(3));
    await stack.context.db.query(`update charges set ${columns} where number = $1`, [number]);
    return url;
  };
  const toReturn = { return_url: 'https://shop.example/thanks?order=7' };
  const declined = `status = 'failed', failure_cause = 'declined', failure_message = 'No funds'`;
  return {
    preparing: { url: (await create()).checkout_url, title: 'Preparing your payment' },
    ready: { url: await openOne(), title: 'Your payment is ready' },
    confirming: { url: `${await openOne()}?returned=1`, title: 'Waiting for confirmation' },
    closing: {
      url: await put('cancel_requested_at = now()'),
      title: 'This checkout is being closed',
    },
    on_hold: {
      url: await put(`status = 'pending', review = '{underpaid}'`, toReturn),
      title: 'Your payment needs a look',
    },
    done: {
      url: await put(`status = 'succeeded', channel = 'bank_transfer'`, toReturn),
      title: 'Payment received',
    },
    refunded: {
      url: await put(`status = 'refunded', channel = 'card', refunded_kobo = amount_kobo`),
      title: 'This payment was refunded',
    },
    failed: { url: await put(declined, toReturn), title: 'The payment did not go through' },
    expired: {
      url: await put(`status = 'failed', failure_cause = 'expired'`),
      title: 'This checkout has expired',
    },
    superseded: { url: await supersededUrl(stack), title: 'This has been paid' },
    missing: {
      url: `${stack.baseUrl.replace(/v1$/, 'pay')}/x`,
      title: 'There is no such checkout',
    },
  };
}

async function supersededUrl(stack: Stack): Promise<string> {
  const { db } = stack.context;
  const link = await newLink(stack);
  const newCharge = async () => (await stack.api.post('/charges', sale)).json;
  const paidBy = (await newCharge()).id.replace('ct_', 'txn_');
  const { id, checkout_url: url } = await newCharge();
  await db.query(`update payment_links set status = 'paid', transaction_id = $2 where id = $1`, [
    link.id,
    paidBy,
  ]);
  await db.query('update charges set payment_link_id = $2 where id = $1', [
    id.replace('ct_', 'txn_'),
    link.id,
  ]);
  return url;
}

export async function linkStates(stack: Stack): Promise<Record<string, PayerState>> {
  const ended = async (status: string): Promise<string> => {
    const { id, url } = await newLink(stack);
    await stack.sql`update payment_links set status = ${status} where id = ${id}`;
    return url;
  };
  const tenant = await stack.newTenant();
  const unconnected = await newLink(stack, {}, tenant.secret_key_test);
  await disconnectAll(stack, tenant.tenant_id);
  return {
    form: { url: (await newLink(stack)).url, title: 'Your details' },
    paid: { url: await ended('paid'), title: 'This has been paid' },
    expired: { url: await ended('expired'), title: 'This payment link has expired' },
    disabled: { url: await ended('disabled'), title: 'This payment link is no longer in use' },
    unconnected: { url: unconnected.url, title: 'No payment can be taken at the moment' },
  };
}
