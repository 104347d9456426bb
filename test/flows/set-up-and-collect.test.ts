import { expect } from 'chai';
import { memberOf } from '../support/members.ts';
import { callSandboxAsPaystack, openAccount } from '../support/paystack-account.ts';
import { useStack } from '../support/stack.ts';

describe('A new merchant', () => {
  const stack = useStack();
  before(async () => {
    callSandboxAsPaystack(stack);
  });

  it('connects a provider, creates a public key for its web pages, and is paid', async () => {
    const { api, control, settle, receiver } = stack;
    const tenant = await stack.newTenant({ connected: false });
    const as = { key: (await memberOf(stack, tenant, 'owner')).token };

    const secretKey = await openAccount(stack);
    const { json: connection } = await api.post(
      '/connections',
      { provider: 'provider_a', credentials: { secret_key: secretKey } },
      as,
    );
    await openAccount(stack, { secretKey, notificationUrl: connection.notification_url });
    const { json: shown } = await api.post(
      '/api-keys',
      { kind: 'public', allowed_origins: ['https://shop.example'] },
      as,
    );

    const order = { amount_kobo: 250_000, email: 'ada@example.com' };
    const { json: charge } = await api.post('/charges', order, {
      key: shown.key,
      headers: { origin: 'https://shop.example' },
    });
    await settle();
    await control.pay(charge.reference);
    await settle();

    const [row] = await stack.context.db.query(
      'select status from notifications where connection_id = $1',
      [connection.id],
    );
    expect(row, 'the provider’s notification').to.deep.equal({ status: 'processed' });
    const { json: paid } = await api.get(`/charges/${charge.reference}`, {
      key: tenant.secret_key_test,
    });
    expect(paid.status).to.equal('completed');
    expect(paid.transaction).to.include({
      status: 'succeeded',
      amount_kobo: 250_000,
      provider: 'provider_a',
    });
    const webhooks = receiver.received.map(({ body }) => JSON.parse(body));
    expect(webhooks.map(({ type, tenant_id }) => ({ type, tenant_id }))).to.deep.equal([
      { type: 'charge.succeeded', tenant_id: tenant.tenant_id },
    ]);
  });
});
