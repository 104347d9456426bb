import { expect } from 'chai';
import { openCharge, stored } from '../support/charges.ts';
import { memberOf } from '../support/members.ts';
import { chargesOf, newLink, readLink, submit, titleOf, visit } from '../support/payment-links.ts';
import { callSandboxAsPaystack, openAccount } from '../support/paystack-account.ts';
import { approvedRefund, eventsOf, refundRow } from '../support/refunds.ts';
import { useStack } from '../support/stack.ts';

describe('A payment', () => {
  const stack = useStack({ newTenants: true });
  beforeEach(() => {
    stack.receiver.received.length = 0;
  });

  it('at Monnify, refunded: COMPLETED, then FAILED_REFUND: it failed, the charge is not refunded, and a person sees it', async () => {
    const charge = await openCharge(stack, { provider: 'provider_c', amount_kobo: 500_000 });
    await stack.control.pay(charge.reference, { channel: 'bank_transfer' });
    await stack.settle();
    const refund = await approvedRefund(stack, charge);
    await stack.settle();
    await stack.pass(2_000);
    expect(await refundRow(stack, refund)).to.include({ status: 'completed' });
    expect(await stored(stack, charge)).to.include({ status: 'refunded', refunded_kobo: 500_000 });

    stack.clock.advance(60_000);
    await stack.control.failCompletedRefund(charge.reference);
    await stack.settle();
    expect(await refundRow(stack, refund)).to.include({ status: 'failed', completed_at: null });
    const events = (await eventsOf(stack, refund)).map(({ type }) => type);
    expect(events).to.have.members([
      ...['refund.requested', 'refund.approved', 'refund.completed', 'refund.failed'],
    ]);
    expect(await stored(stack, charge)).to.deep.include({
      ...{ status: 'succeeded', refunded_kobo: 0, review: ['refund_reversed'] },
    });
    const { data } = (await stack.api.get('/reviews?status=open')).json;
    expect(data).to.have.length(1);
    const { reference } = charge;
    expect(data[0]).to.include({ reference, reason: 'refund_reversed', amount_kobo: 500_000 });
    expect(data[0].detail).to.match(/^₦5,000.00 came back after the refund was completed: /);
  });

  it('by a payment link that is created, declined, paid by the next visitor, and sends the merchant a webhook', async () => {
    const link = await newLink(stack, { customer: { name: 'Ada Obi' } });
    await submit(stack, link, { email: 'first@example.com' });
    await stack.settle();
    const [first] = await chargesOf(stack, link);
    expect(first).to.include({ status: 'pending', name: 'Ada Obi', created_by: 'link' });
    await stack.control.pay(first!.reference, { outcome: 'failed' });
    expect((await stack.api.get(`/charges/${first!.reference}`)).json.status).to.equal('failed');
    expect(await readLink(stack, link)).to.include({ status: 'active', transaction_id: null });
    await submit(stack, link, { email: 'second@example.com' });
    await stack.settle();
    const [, second] = await chargesOf(stack, link);
    await stack.control.pay(second!.reference);
    await stack.settle();
    expect(await readLink(stack, link)).to.include({ status: 'paid', transaction_id: second!.id });
    expect(titleOf((await visit(stack, link)).text)).to.equal('This has been paid');
    const transaction = (await stack.api.get(`/transactions/${second!.id}`)).json;
    expect(transaction).to.include({ status: 'succeeded', amount_kobo: 1_250_050 });
    const webhooks = stack.receiver.received.map(({ body }) => JSON.parse(body));
    const [succeeded, ...more] = webhooks.filter(({ type }) => type === 'charge.succeeded');
    expect(more).to.deep.equal([]);
    const customer = { email: 'second@example.com', name: 'Ada Obi', phone: null };
    expect(succeeded.data).to.deep.include({ id: second!.id, customer });
  });

  it('of a new merchant, who connects a provider, creates a public key for its web pages, and is paid', async () => {
    const { api, control, settle, receiver } = stack;
    const tenant = await stack.newTenant({ connected: false });
    const as = { key: (await memberOf(stack, tenant, 'owner')).token };

    callSandboxAsPaystack(stack);
    const secretKey = await openAccount(stack);
    const given = { provider: 'provider_a', credentials: { secret_key: secretKey } };
    const { json: connection } = await api.post('/connections', given, as);
    await openAccount(stack, { secretKey, notificationUrl: connection.notification_url });
    const page = { kind: 'public', allowed_origins: ['https://shop.example'] };
    const { json: shown } = await api.post('/api-keys', page, as);

    const order = { amount_kobo: 250_000, email: 'ada@example.com' };
    const { json: charge } = await api.post('/charges', order, {
      key: shown.key,
      headers: { origin: 'https://shop.example' },
    });
    await settle();
    await control.pay(charge.reference);
    await settle();

    const [row] = await stack.sql`select status from notifications
      where connection_id = ${connection.id}`;
    expect(row, 'the provider’s notification').to.deep.equal({ status: 'processed' });
    const { json: paid } = await api.get(`/charges/${charge.reference}`, {
      key: tenant.secret_key_test,
    });
    expect(paid.status).to.equal('completed');
    const succeeded = { status: 'succeeded', amount_kobo: 250_000, provider: 'provider_a' };
    expect(paid.transaction).to.include(succeeded);
    const webhooks = receiver.received.map(({ body }) => JSON.parse(body));
    expect(webhooks.map(({ type, tenant_id }) => ({ type, tenant_id }))).to.deep.equal([
      { type: 'charge.succeeded', tenant_id: tenant.tenant_id },
    ]);
  });
});
