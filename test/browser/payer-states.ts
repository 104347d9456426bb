import { disconnectAll } from '../support/connect.ts';
import { openAtProvider } from '../support/open-at-provider.ts';
import { newLink } from '../support/payment-links.ts';
import type { Stack } from '../support/stack.ts';

/** Addresses of pages, by their titles. */
type States = Record<string, string>;

const sale = { amount_kobo: 1_250_050, email: 'ada@example.com', description: 'Two bags of rice' };

export async function payStates(stack: Stack): Promise<States> {
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
  const refunded = `status = 'refunded', channel = 'card', refunded_kobo = amount_kobo`;
  const declined = `status = 'failed', failure_cause = 'declined', failure_message = 'No funds'`;
  return {
    'Preparing your payment': (await create()).checkout_url,
    'Your payment is ready': await openOne(),
    'Waiting for confirmation': `${await openOne()}?returned=1`,
    'This checkout is being closed': await put('cancel_requested_at = now()'),
    'Your payment needs a look': await put(`status = 'pending', review = '{underpaid}'`, toReturn),
    'Payment received': await put(`status = 'succeeded', channel = 'bank_transfer'`, toReturn),
    'This payment was refunded': await put(refunded),
    'The payment did not go through': await put(declined, toReturn),
    'This checkout has expired': await put(`status = 'failed', failure_cause = 'expired'`),
    'This has been paid': await supersededUrl(stack),
    'There is no such checkout': `${stack.origin}/pay/x`,
  };
}

async function supersededUrl(stack: Stack): Promise<string> {
  const link = await newLink(stack);
  const newCharge = async () => (await stack.api.post('/charges', sale)).json;
  const paidBy = (await newCharge()).id.replace('ct_', 'txn_');
  const { id, checkout_url: url } = await newCharge();
  await stack.sql`update payment_links set status = 'paid', transaction_id = ${paidBy}
    where id = ${link.id}`;
  await stack.sql`update charges set payment_link_id = ${link.id}
    where id = ${id.replace('ct_', 'txn_')}`;
  return url;
}

export async function linkStates(stack: Stack): Promise<States> {
  const ended = async (status: string): Promise<string> => {
    const { id, url } = await newLink(stack);
    await stack.sql`update payment_links set status = ${status} where id = ${id}`;
    return url;
  };
  const tenant = await stack.newTenant();
  const unconnected = await newLink(stack, {}, tenant.secret_key_test);
  await disconnectAll(stack, tenant.tenant_id);
  return {
    'Your details': (await newLink(stack)).url,
    'This has been paid': await ended('paid'),
    'This payment link has expired': await ended('expired'),
    'This payment link is no longer in use': await ended('disabled'),
    'No payment can be taken at the moment': unconnected.url,
  };
}
