import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A payment', (fixture) => {
  it('is recorded by the provider’s notification, and the merchant gets one webhook', async () => {
    const counted = await fixture.counting();
    const charge = await fixture.open({ amount_kobo: 250_050 });
    expect(await fixture.read(charge)).to.include({
      status: 'open',
      provider: fixture.slot,
      transaction: null,
    });
    await fixture.pay(charge);
    const { transaction, status } = await fixture.read(charge);
    expect(status).to.equal('completed');
    expect(transaction).to.include({
      status: 'succeeded',
      amount_kobo: 250_050,
      provider: fixture.slot,
      channel: 'bank_transfer',
    });
    expect(transaction).to.include({ recovered: false, failure_message: null, refunded_kobo: 0 });
    expect(transaction!.fee_kobo).to.be.greaterThan(0);
    expect(transaction!.net_kobo).to.equal(250_050 - transaction!.fee_kobo);
    expect((await fixture.stack.api.get(`/transactions/${transaction!.id}`)).json).to.deep.equal(
      transaction,
    );
    expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.succeeded succeeded']);
    const bodies = fixture.stack.receiver.received.map(({ body }) => JSON.parse(body).data);
    expect(bodies).to.deep.include(transaction);
    expect(await fixture.history(charge)).to.deep.equal([
      'charge.initiated',
      'charge.pending',
      'charge.succeeded',
    ]);
    const { captures, attempts } = await stored(fixture.stack, charge);
    expect(captures.map(({ status, amount_kobo: kobo }) => [status, kobo])).to.deep.equal([
      ['applied', 250_050],
    ]);
    expect(captures[0]!.provider_payment_id).to.equal(transaction!.provider_reference);
    expect(attempts.map(({ status: is }) => is)).to.deep.equal(['captured']);
    expect(await counted()).to.include({
      creates: 1,
      distinct_references: 1,
      captures: 1,
      refunds: 0,
      notifications: 1,
    });
  });

  it('sends one webhook though every notification comes twice', async () => {
    await fixture.faults({ duplicate_notifications: true });
    const charge = await fixture.paid();
    expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.succeeded succeeded']);
    expect((await stored(fixture.stack, charge)).captures).to.have.length(1);
  });

  it('is found by verifying when no notification arrives', async () => {
    await fixture.faults({ drop_notifications: true });
    const charge = await fixture.open();
    await fixture.pay(charge);
    expect(await stored(fixture.stack, charge)).to.include({ status: 'pending' });
    await fixture.pass(11 * SECOND);
    expect(await stored(fixture.stack, charge)).to.include({ status: 'succeeded' });
    expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.succeeded succeeded']);
  });

  if (fixture.name !== 'monnify') return;

  it('is collected though every login token is revoked early', async () => {
    const counted = await fixture.counting();
    await fixture.stack.control.expireTokens();
    const charge = await fixture.open();
    await fixture.stack.control.expireTokens();
    await fixture.pay(charge);
    expect(await fixture.read(charge)).to.include({ status: 'completed' });
    expect(await counted()).to.include({ creates: 1, captures: 1 });
  });
});
