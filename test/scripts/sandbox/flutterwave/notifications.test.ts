import { expect } from 'chai';
import { openFlutterwave } from './stage.ts';

describe('sandbox: Flutterwave notifications', () => {
  it('tell of a payment with charge.completed, under the secret hash itself', async () => {
    await using stage = await openFlutterwave();
    const { reference } = await stage.link({ meta: { order: '7' } });
    await stage.control('POST', '/pay', { reference, outcome: 'success' });
    await stage.sandbox.idle();
    const [told, ...rest] = stage.receiver.received;
    expect(rest).to.deep.equal([]);
    expect(told?.headers['verif-hash']).to.equal(stage.secretHash);
    expect(told?.body).to.include({ event: 'charge.completed', 'event.type': 'CARD_TRANSACTION' });
    expect(told?.body).to.have.deep.property('meta_data', { order: '7' });
    const verified = await stage.verified(reference);
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
    await using stage = await openFlutterwave();
    const reference = await stage.order();
    for (const outcome of ['failed', 'failed', 'success']) {
      await stage.control('POST', '/pay', { reference, outcome, channel: 'bank_transfer' });
    }
    await stage.sandbox.idle();
    const told = stage.receiver.received.map(({ body }) => body);
    expect(told.map(({ data }) => data.status)).to.have.members(['failed', 'failed', 'successful']);
    expect(new Set(told.map(({ data }) => data.id)).size).to.equal(3);
    expect(told[0]).to.have.property('event.type', 'BANK_TRANSFER_TRANSACTION');
  });

  it('use the hash the account has when they are sent', async () => {
    await using stage = await openFlutterwave();
    stage.receiver.answerNext(500);
    await stage.sale();
    const account = {
      provider: 'flutterwave',
      secret_key: stage.secretKey,
      secret_hash: 'another-hash',
    };
    expect((await stage.control('POST', '/accounts', account)).status).to.equal(200);
    await stage.pass(1_000);
    expect(stage.receiver.received.map(({ headers }) => headers['verif-hash'])).to.deep.equal([
      stage.secretHash,
      'another-hash',
    ]);
  });

  it('are not sent for what is to be kept quiet', async () => {
    await using stage = await openFlutterwave();
    await stage.sale(500_000, { notify: false });
    await stage.sale(500_000, { notify: false, outcome: 'failed' });
    await stage.pass(120_000);
    expect(stage.receiver.received).to.deep.equal([]);
  });
});
