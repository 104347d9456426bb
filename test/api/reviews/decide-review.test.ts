import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { newCharge, openCharge, stored } from '../../support/charges.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { newLink, openedBy } from '../../support/payment-links.ts';
import { settleRefunds } from '../../support/refunds.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { type Charge, reviewFixture } from './fixture.ts';

describe('Deciding a review', () => {
  const fixture = reviewFixture();
  const { stack, owner } = fixture;
  const whatOf = async ({ reference }: Charge): Promise<string[]> =>
    (await stack.api.get(`/charges/${reference}/timeline?limit=100`)).json.data.map(
      ({ what }: { what: string }) => what,
    );

  it('is shown in full before and after', async () => {
    const charge = await fixture.underpaid();
    const { captures, id: chargeId } = await stored(stack, charge);
    const review = await fixture.reviewOf(charge);
    expect(review).to.deep.equal({
      object: 'review',
      id: review.id,
      reference: charge.reference,
      transaction_id: chargeId,
      reason: 'underpaid',
      detail: 'The payer paid less than was asked: ₦600.00 of ₦1,000.00.',
      amount_kobo: 60_000,
      payment: {
        provider: 'provider_a',
        provider_reference: captures[0]!.provider_payment_id,
        amount_kobo: 60_000,
      },
      status: 'open',
      decided_by: null,
      decided_at: null,
      created_at: review.created_at,
      mode: 'test',
    });
    const answer = await fixture.post('accept', review, { note: 'A discount was agreed.' });
    expect(answer.status, answer.text).to.equal(200);
    const { decided_at: decidedAt } = answer.json;
    expect(answer.json).to.deep.equal({
      ...review,
      status: 'accepted',
      decided_by: owner.memberId,
      decided_at: decidedAt,
    });
    expect((await stack.api.get(`/reviews/${review.id}`)).json).to.deep.equal(answer.json);
    expect(await auditOf(stack, review.id)).to.deep.equal([
      {
        actor: owner.memberId,
        action: 'review.accepted',
        detail: `underpaid of ${charge.reference}: A discount was agreed.`,
      },
    ]);
    const [line] = await stack.sql<any>`select detail, amount_kobo from timeline_entries
      where charge_id = ${chargeId} and what = ${'review.accepted'}`;
    expect(line).to.deep.equal({
      detail: `Accepted (${review.id}): ${review.detail} Note: A discount was agreed.`,
      amount_kobo: 60_000,
    });
  });

  it('accepting an unknown status verifies again, and the same status opens no second review', async () => {
    const charge = await openCharge(stack);
    const fact = { type: 'unclear', words: 'status "half-paid"' } as const;
    await fixture.record(charge, fact);
    const review = await fixture.reviewOf(charge);
    expect(review).to.include({ reason: 'unknown_status', amount_kobo: null, payment: null });
    expectRefused(await fixture.post('return', review), 'invalid_state');
    const before = (await stored(stack, charge)).attempts[0]!.verified_at;
    expect((await fixture.post('accept', review)).status).to.equal(200);
    expect((await stored(stack, charge)).attempts[0]!.verified_at).to.not.deep.equal(before);
    await writingNothing(stack, () => fixture.record(charge, fact));
    expect((await stored(stack, charge)).review).to.deep.equal([]);
  });

  it('accepting an unknown status verifies captured and refused attempts too', async () => {
    const charge = await openCharge(stack);
    await fixture.record(charge, { type: 'unclear', words: 'status "half-refused"' });
    const review = await fixture.reviewOf(charge);
    for (const status of ['captured', 'refused']) {
      await stack.sql`update attempts set status = ${status}, verified_at = null
        where charge_id = ${review.transaction_id}`;
      await stack.sql`update reviews set status = 'open' where id = ${review.id}`;
      expect((await fixture.post('accept', review)).status).to.equal(200);
      const [attempt] = (await stored(stack, charge)).attempts;
      expect(attempt!.verified_at, status).to.be.an.instanceOf(Date);
    }
  });

  it('accepting a link that was paid twice is recorded; its money is returned by a refund of the charge', async () => {
    const link = await newLink(stack, { amount_kobo: 100_000 });
    const charge = await openedBy(stack, link);
    await stack.settle();
    const before = (await newCharge(stack)).id.replace('ct_', 'txn_');
    await stack.sql`update payment_links set status = 'paid', transaction_id = ${before}
      where id = ${link.id}`;
    await stack.control.pay(charge.reference);
    await stack.settle();
    const review = await fixture.reviewOf(charge);
    expect(review).to.deep.include({ reason: 'link_paid_before', amount_kobo: 100_000 });
    expect(review.detail).to.include(`was paid by ${before} before`);
    expect(review.payment).to.include({ amount_kobo: 100_000 });
    const refused = await fixture.post('return', review);
    expectRefused(refused, 'invalid_state');
    expect(refused.json.error.message).to.include('POST /refunds');
    expect((await fixture.post('accept', review)).json.status).to.equal('accepted');
    expect((await stored(stack, charge)).review).to.deep.equal([]);
  });

  it('happens once: of many simultaneous decisions one succeeds, the others get 409', async () => {
    const charge = await fixture.underpaid();
    const review = await fixture.reviewOf(charge);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        stack.api.post(
          `/reviews/${review.id}/${n % 2 ? 'accept' : 'return'}`,
          {},
          { key: owner.token },
        ),
      ),
    );
    await settleRefunds(stack); // a refund that is on its way has notifications yet to come
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([
      200, 409, 409, 409, 409, 409,
    ]);
    const made = answers.find(({ status }) => status === 200)!.json.status;
    expect(await fixture.refundsOf(charge)).to.have.length(made === 'returned' ? 1 : 0);
    await expectRefusal(stack, () => fixture.post('accept', review), 'invalid_state');
    expect((await whatOf(charge)).filter((what) => what.startsWith('review.'))).to.deep.equal([
      `review.${made}`,
    ]);
  });
});
