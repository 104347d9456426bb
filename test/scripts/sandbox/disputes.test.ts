import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { openFixture } from './fixture.ts';

describe('sandbox: disputes', () => {
  const fixture = forEachTest(openFixture);

  it('notifies the merchant, with the transaction reversed once it is lost', async () => {
    const reference = await fixture.sale(500_000, { notify: false });
    await fixture.control('POST', '/dispute', { reference });
    await fixture.sandbox.idle();
    await fixture.control('POST', '/dispute', { reference, outcome: 'lost' });
    await fixture.sandbox.idle();
    const bodies = fixture.receiver.received.map(({ body }) => body);
    expect(bodies.map(({ event, data }) => [event, data.transaction.status])).to.deep.equal([
      ['charge.dispute.create', 'success'],
      ['charge.dispute.resolve', 'reversed'],
    ]);
    expect(bodies[0]!.data).to.include({ created_at: '2026-03-02T09:00:00.000Z' });
    expect(bodies[0]!.data).not.to.have.property('createdAt');
  });

  it('refuses to dispute an unpaid or refunded payment, and a second open dispute', async () => {
    expect(
      (await fixture.control('POST', '/dispute', { reference: await fixture.order() })).status,
    ).to.equal(409);
    const refunded = await fixture.sale();
    await fixture.paystack('POST', '/refund', { transaction: refunded });
    await fixture.pass(1_000);
    expect((await fixture.control('POST', '/dispute', { reference: refunded })).status).to.equal(
      409,
    );
    const reference = await fixture.sale();
    const replies = await Promise.all(
      [1, 2].map(() => fixture.control('POST', '/dispute', { reference })),
    );
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
  });

  it('takes no more than is left when a refund was completed before the dispute', async () => {
    const reference = await fixture.sale(500_000);
    await fixture.control('POST', '/dispute', { reference });
    await fixture.paystack('POST', '/refund', { transaction: reference, amount: 400_000 });
    await fixture.pass(1_000);
    await fixture.control('POST', '/dispute', { reference, outcome: 'lost' });
    const [payment] = (await fixture.control('GET', `/payments?reference=${reference}`)).body.data;
    expect(payment).to.include({ status: 'reversed', reversed_kobo: 500_000 });
  });
});
