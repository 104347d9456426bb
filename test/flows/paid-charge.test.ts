import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { useStack } from '../support/stack.ts';

describeOnEachQueue('A charge, from creation to the signed webhook', (queues) => {
  const stack = useStack({ queues });

  it('is created, paid at the provider, and sends one webhook', async () => {
    const { api, control, settle, receiver, tenant } = stack;
    const created = await api.post('/charges', {
      amount_kobo: 250_000,
      email: 'Ada@Example.com',
      reference: 'order-1',
      metadata: { cart: 7 },
    });
    expect(created.status).to.equal(201);
    expect(created.json).to.include({
      object: 'checkout',
      status: 'open',
      amount_kobo: 250_000,
      provider: 'provider_a',
      mode: 'test',
    });
    await settle();
    await control.pay(created.json.reference);
    await settle();

    const paid = await api.get(`/charges/${created.json.reference}`);
    expect(paid.json.status).to.equal('completed');
    expect(paid.json.transaction).to.deep.include({
      object: 'transaction',
      status: 'succeeded',
      amount_kobo: 250_000,
      fee_kobo: 13_750,
      net_kobo: 236_250,
      channel: 'card',
      customer: { email: 'Ada@Example.com', name: null, phone: null },
      metadata: { cart: 7 },
      recovered: false,
    });
    expect(receiver.received).to.have.length(1);
    const [webhook] = receiver.received;
    const verified = new Webhook(tenant.webhook_secret_test).verify(
      webhook!.body,
      webhook!.headers as Record<string, string>,
    ) as any;
    expect(verified).to.include({
      type: 'charge.succeeded',
      mode: 'test',
      tenant_id: tenant.tenant_id,
    });
    expect(verified.data).to.deep.equal(paid.json.transaction);
  });

  it('creates one payment at the provider, under one reference', async () => {
    expect((await stack.control.stats()).paystack).to.include({
      creates: 1,
      distinct_references: 1,
      resent_after_accept: 0,
      captures: 1,
    });
  });
});
