import { expect } from 'chai';
import { openFlutterwave } from './fixture.ts';

describe('sandbox: Flutterwave notifications', () => {
  it('notify a payment with charge.completed and the secret hash', async () => {
    await using fixture = await openFlutterwave();
    const { reference } = await fixture.link({ meta: { order: '7' } });
    await fixture.control('POST', '/pay', { reference, outcome: 'success' });
    await fixture.sandbox.idle();
    const [notified, ...rest] = fixture.receiver.received;
    expect(rest).to.deep.equal([]);
    expect(notified?.headers['verif-hash']).to.equal(fixture.secretHash);
    expect(notified?.body).to.include({
      event: 'charge.completed',
      'event.type': 'CARD_TRANSACTION',
    });
    expect(notified?.body).to.have.deep.property('meta_data', { order: '7' });
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
      expect(notified?.body.data[name], name).to.equal(verified[name]);
    }
    expect(notified?.body.data).not.to.have.any.keys('amount_settled', 'meta');
  });

  it('notify every failed attempt too', async () => {
    await using fixture = await openFlutterwave();
    const reference = await fixture.order();
    for (const outcome of ['failed', 'failed', 'success']) {
      await fixture.control('POST', '/pay', { reference, outcome, channel: 'bank_transfer' });
    }
    await fixture.sandbox.idle();
    const notified = fixture.receiver.received.map(({ body }) => body);
    expect(notified.map(({ data }) => data.status)).to.have.members([
      'failed',
      'failed',
      'successful',
    ]);
    expect(new Set(notified.map(({ data }) => data.id)).size).to.equal(3);
    expect(notified[0]).to.have.property('event.type', 'BANK_TRANSFER_TRANSACTION');
  });
});
