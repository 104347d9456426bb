import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A payment', (fixture) => {
  const { stack, slot, open, pay, read, counting, faults, expectStored, expectWebhooks } = fixture;

  it('is recorded by the provider’s notification, and the merchant gets one webhook', async () => {
    const counted = await counting();
    const charge = await open({ amount_kobo: 250_050 });
    const unpaid = { status: 'open', provider: slot, transaction: null };
    expect(await read(charge)).to.include(unpaid);
    await pay(charge);
    const { transaction, status } = await read(charge);
    expect(status).to.equal('completed');
    expect(transaction).to.include({
      ...{ status: 'succeeded', amount_kobo: 250_050, provider: slot, channel: 'bank_transfer' },
      ...{ recovered: false, failure_message: null, refunded_kobo: 0 },
    });
    expect(transaction!.fee_kobo).to.be.greaterThan(0);
    expect(transaction!.net_kobo).to.equal(250_050 - transaction!.fee_kobo);
    const listed = await stack.api.get(`/transactions/${transaction!.id}`);
    expect(listed.json).to.deep.equal(transaction);
    expectWebhooks(charge, 'charge.succeeded');
    const bodies = stack.receiver.received.map(({ body }) => JSON.parse(body).data);
    expect(bodies).to.deep.include(transaction);
    expect(await fixture.history(charge)).to.deep.equal([
      ...['charge.initiated', 'charge.pending', 'charge.succeeded'],
    ]);
    const { captures, attempts } = await stored(stack, charge);
    expect(captures).to.have.length(1);
    expect(captures[0]).to.include({
      ...{ status: 'applied', amount_kobo: 250_050 },
      provider_payment_id: transaction!.provider_reference,
    });
    expect(attempts.map((attempt) => attempt.status)).to.deep.equal(['captured']);
    expect(await counted()).to.include({
      ...{ creates: 1, distinct_references: 1, captures: 1, refunds: 0, notifications: 1 },
    });
  });

  it('sends one webhook though every notification comes twice', async () => {
    await faults({ duplicate_notifications: true });
    const charge = await fixture.paid();
    expectWebhooks(charge, 'charge.succeeded');
    expect((await stored(stack, charge)).captures).to.have.length(1);
  });

  it('is found by verifying when no notification arrives', async () => {
    await faults({ drop_notifications: true });
    const charge = await open();
    await pay(charge);
    await expectStored(charge, { status: 'pending' });
    await fixture.pass(11 * SECOND);
    await expectStored(charge, { status: 'succeeded' });
    expectWebhooks(charge, 'charge.succeeded');
  });

  if (fixture.name !== 'monnify') return;

  it('is collected though every login token is revoked early', async () => {
    const counted = await counting();
    await stack.control.expireTokens();
    const charge = await open();
    await stack.control.expireTokens();
    await pay(charge);
    expect(await read(charge)).to.include({ status: 'completed' });
    expect(await counted()).to.include({ creates: 1, captures: 1 });
  });
});
