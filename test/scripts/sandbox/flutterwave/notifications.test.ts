import { expect } from 'chai';
import { openFlutterwave } from './fixture.ts';

describe('sandbox: Flutterwave notifications', () => {
  it('tell of a payment with charge.completed, under the secret hash itself', async () => {
    await using fixture = await openFlutterwave();
    const { reference } = await fixture.link({ meta: { order: '7' } });
    await fixture.control('POST', '/pay', { reference, outcome: 'success' });
    await fixture.sandbox.idle();
    const [told, ...rest] = fixture.receiver.received;
    expect(rest).to.deep.equal([]);
    expect(told?.headers['verif-hash']).to.equal(fixture.secretHash);
    expect(told?.body).to.include({ event: 'charge.completed', 'event.type': 'CARD_TRANSACTION' });
    expect(told?.body).to.have.deep.property('meta_data', { order: '7' });
    const verified = await fixture.verified(reference);
    for (const name of [
      'id',
      'tx_ref',
      'flw_ref',
      'amount',
      'charged_amount',
      'app_fee',
      'status',
      'currency',
      'created_at',
    ]) {
      expect(told?.body.data[name], name).to.equal(verified[name]);
    }
    expect(told?.body.data).not.to.have.any.keys('amount_settled', 'meta');
  });

  it('tell of every failed attempt too', async () => {
    await using fixture = await openFlutterwave();
    const reference = await fixture.order();
    for (const outcome of ['failed', 'failed', 'success']) {
      await fixture.control('POST', '/pay', { reference, outcome, channel: 'bank_transfer' });
    }
    await fixture.sandbox.idle();
    const told = fixture.receiver.received.map(({ body }) => body);
    expect(told.map(({ data }) => data.status)).to.have.members(['failed', 'failed', 'successful']);
    expect(new Set(told.map(({ data }) => data.id)).size).to.equal(3);
    expect(told[0]).to.have.property('event.type', 'BANK_TRANSFER_TRANSACTION');
  });

  it('use the hash the account has when they are sent', async () => {
    await using fixture = await openFlutterwave();
    fixture.receiver.answerNext(500);
    await fixture.sale();
    const account = {
      provider: 'flutterwave',
      secret_key: fixture.secretKey,
      secret_hash: 'another-hash',
    };
    expect((await fixture.control('POST', '/accounts', account)).status).to.equal(200);
    await fixture.pass(1_000);
    expect(fixture.receiver.received.map(({ headers }) => headers['verif-hash'])).to.deep.equal([
      fixture.secretHash,
      'another-hash',
    ]);
  });

  it('are not sent for what is to be kept quiet', async () => {
    await using fixture = await openFlutterwave();
    await fixture.sale(500_000, { notify: false });
    await fixture.sale(500_000, { notify: false, outcome: 'failed' });
    await fixture.pass(120_000);
    expect(fixture.receiver.received).to.deep.equal([]);
  });
});
