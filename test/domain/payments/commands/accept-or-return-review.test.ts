import { expect } from 'chai';
import { HOUR } from '../../../support/clock.ts';
import { useLedger } from '../../ledger.ts';
import { listedRefund, openRefundFixture, type RefundFixture } from '../refund-fixture.ts';

describe('Deciding a review after part of the money was refunded', () => {
  const ledger = useLedger();

  const sendAll = async (fixture: RefundFixture) => {
    for (const { id, status } of await fixture.refunds())
      if (status === 'approved') await fixture.runJob(id);
  };
  const openReviews = (fixture: RefundFixture) =>
    ledger.rows(
      `select reason from reviews where charge_id = $1 and status = 'open'`,
      fixture.chargeId,
    );

  const expectRefusal = async (...[fixture, ...asked]: Refused) =>
    expect(await fixture.decideReview(...asked).catch(({ code }) => code)).to.equal(
      'invalid_state',
    );
  type Refused = [RefundFixture, ...Parameters<RefundFixture['decideReview']>];

  it('returns the excess that was paid after an earlier excess was returned', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(700_000);
    await fixture.decideReview('returned');
    await sendAll(fixture);
    await fixture.pay(900_000);
    await fixture.decideReview('returned');
    await sendAll(fixture);
    expect(fixture.sent).to.deep.equal([200_000, 200_000]);
    expect(await ledger.charge(fixture.chargeId)).to.include({
      status: 'succeeded',
      refunded_kobo: 0,
    });
  });

  it('returns the excess that was paid after an underpayment was returned', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(300_000);
    await fixture.decideReview('returned');
    await fixture.pay(500_000);
    await fixture.decideReview('returned');
    await sendAll(fixture);
    expect(fixture.sent).to.deep.equal([300_000, 200_000]);
  });

  it('returns the excess that was paid after an accepted underpayment was refunded', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(300_000);
    await fixture.decideReview('accepted');
    await fixture.runJob(await fixture.requestRefund());
    await fixture.pay(500_000);
    await fixture.decideReview('returned');
    await sendAll(fixture);
    expect(fixture.sent).to.deep.equal([300_000, 200_000]);
    expect(await ledger.charge(fixture.chargeId)).to.include({
      status: 'refunded',
      refunded_kobo: 300_000,
    });
  });

  it('leaves the decision on record once all of the payment went back', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(300_000);
    await fixture.decideReview('returned');
    const decided = () =>
      ledger.rows(
        'select status, decided_by, decided_at from reviews where charge_id = $1',
        fixture.chargeId,
      );
    const before = await decided();
    ledger.clock.advance(HOUR);
    await sendAll(fixture);
    expect(await decided()).to.deep.equal(before);
    expect(before[0]).to.include({ status: 'returned' });
  });

  it('is asked for about the larger of two refunds that came back', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(500_000);
    for (const kobo of [300_000, 100_000]) await fixture.runJob(await fixture.requestRefund(kobo));
    fixture.listed = fixture.listed.map((one) => ({ ...one, state: 'failed', status: 'failed' }));
    await fixture.recordListed();
    const [review, ...more] = await ledger.rows(
      'select reason, amount_kobo from reviews where charge_id = $1',
      fixture.chargeId,
    );
    expect(more).to.deep.equal([]);
    expect(review).to.deep.equal({ reason: 'refund_reversed', amount_kobo: 300_000 });
  });

  it('returns only what was not refunded at the provider', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(300_000);
    fixture.listed.push(
      listedRefund({ providerRefundId: `elsewhere-${fixture.chargeId}`, amountKobo: 100_000 }),
    );
    await fixture.recordListed();
    await fixture.decideReview('returned');
    await sendAll(fixture);
    expect(fixture.sent).to.deep.equal([200_000]);
    expect(await openReviews(fixture)).to.deep.equal([]);
  });

  it('accepts an underpayment with the part that was refunded', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(300_000);
    fixture.listed.push(
      listedRefund({ providerRefundId: `elsewhere-${fixture.chargeId}`, amountKobo: 100_000 }),
    );
    await fixture.recordListed();
    await fixture.decideReview('accepted');
    expect(await ledger.charge(fixture.chargeId)).to.include({
      status: 'succeeded',
      refunded_kobo: 100_000,
    });
  });

  it('does not accept ₦3,000 as the payment of the charge once a dispute took them all back', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(300_000);
    await fixture.dispute('lost');
    await expectRefusal(fixture, 'returned', 'underpaid');
    await fixture.decideReview('accepted', 'underpaid');
    expect(await ledger.charge(fixture.chargeId)).to.include({
      status: 'pending',
      capture_id: null,
    });
    const events = await ledger.rows(
      'select 1 from events where subject_id = $1',
      fixture.chargeId,
    );
    expect(events).to.deep.equal([]);
  });

  it('closes the review of a payment in dollars that a dispute took back', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(500_000, { currency: 'USD' });
    await expectRefusal(fixture, 'accepted', 'capture_mismatch');
    await fixture.dispute('lost');
    await expectRefusal(fixture, 'returned', 'capture_mismatch');
    await fixture.decideReview('accepted', 'capture_mismatch');
    expect(await ledger.charge(fixture.chargeId)).to.include({
      status: 'pending',
      capture_id: null,
    });
  });

  it('is not needed once the rest is paid: the charge counts the earlier refund', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(300_000);
    fixture.listed.push(
      listedRefund({ providerRefundId: `elsewhere-${fixture.chargeId}`, amountKobo: 100_000 }),
    );
    await fixture.recordListed();
    await fixture.pay(500_000);
    expect(await ledger.charge(fixture.chargeId)).to.include({
      status: 'succeeded',
      refunded_kobo: 100_000,
    });
  });

  it('returns a later top-up of ₦2,000 after a dispute without an amount was lost: the dispute is about what was paid then', async () => {
    const fixture = await openRefundFixture(ledger);
    await fixture.pay(300_000);
    await fixture.decideReview('accepted');
    await fixture.dispute('lost');
    await fixture.pay(500_000);
    const [review] = await ledger.rows(
      `select reason, amount_kobo from reviews where charge_id = $1 and status = 'open'`,
      fixture.chargeId,
    );
    expect(review).to.deep.equal({ reason: 'extra_capture', amount_kobo: 200_000 });
    await fixture.decideReview('returned');
    await sendAll(fixture);
    expect(fixture.sent).to.deep.equal([200_000]);
    const [dispute] = await ledger.rows(
      'select amount_kobo from disputes where charge_id = $1',
      fixture.chargeId,
    );
    expect(dispute.amount_kobo).to.equal(300_000);
  });
});
