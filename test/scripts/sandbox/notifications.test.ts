import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { sign } from '../../../scripts/sandbox/paystack/notifications.ts';
import { forEachTest } from '../../support/for-each-test.ts';
import { openFixture } from './fixture.ts';

describe('sandbox: notifications', () => {
  const fixture = forEachTest(openFixture);

  it('signs as Paystack does', () => {
    const body =
      '{"event":"charge.success","data":{"id":302961,"domain":"test","status":"success","reference":"REF-1","amount":10000}}';
    expect(sign({ secretKey: 'sk_test_example', credentials: {} }, body)).to.deep.equal({
      'x-paystack-signature':
        '013aebbe3393f9a04d563b6710b1faa3168ab592a11547214904fa3c6c82f266ec8b8cd7e4792053e63411539fb943a4d82923e9ed25e377c7a9dce93caff20b',
    });
  });

  it('notifies a paid payment as verify shows it, signed over the exact bytes', async () => {
    const reference = await fixture.sale();
    const [notified, ...rest] = fixture.receiver.received;
    expect(rest).to.deep.equal([]);
    const verified = (await fixture.paystack('GET', `/transaction/verify/${reference}`)).body.data;
    expect(notified?.body).to.deep.equal({ event: 'charge.success', data: verified });
    expect(notified?.headers['x-paystack-signature']).to.equal(
      createHmac('sha512', fixture.secretKey).update(notified!.raw).digest('hex'),
    );
  });

  it('tries again after 1, 10 and 60 seconds, the same bytes, and then gives up', async () => {
    fixture.receiver.answerNext(500, 302, 201, 404);
    await fixture.sale();
    const counts = [fixture.receiver.received.length];
    for (const ms of [999, 1, 9_999, 1, 59_999, 1, 3_600_000]) {
      await fixture.pass(ms);
      counts.push(fixture.receiver.received.length);
    }
    expect(counts).to.deep.equal([1, 1, 2, 2, 3, 3, 4, 4]);
    expect(new Set(fixture.receiver.received.map(({ raw }) => raw)).size).to.equal(1);
  });

  it('loses none when the sandbox ends in the middle of one', async () => {
    fixture.receiver.answerNext('never');
    const reference = await fixture.order();
    const arrival = fixture.receiver.next();
    await fixture.control('POST', '/pay', { reference, outcome: 'success' });
    await arrival;
    await fixture.restart();
    await fixture.pass(1_000);
    expect(fixture.receiver.events()).to.deep.equal(['charge.success', 'charge.success']);
  });

  it('goes to the address the account has when it is sent', async () => {
    fixture.receiver.answerNext(500);
    await fixture.sale();
    const account = { provider: 'paystack', secret_key: fixture.secretKey };
    const notification_url = `${fixture.receiver.url}/moved`;
    await fixture.control('POST', '/accounts', { ...account, notification_url });
    await fixture.pass(1_000);
    expect(fixture.receiver.received).to.have.length(2);
  });

  it('sends many at once, each exactly once', async () => {
    const references = await Promise.all(Array.from({ length: 150 }, () => fixture.order()));
    await Promise.all(
      references.map((reference) =>
        fixture.control('POST', '/pay', { reference, outcome: 'success' }),
      ),
    );
    await fixture.sandbox.idle();
    expect(fixture.receiver.received.map(({ body }) => body.data.reference)).to.have.members(
      references,
    );
  });
});
