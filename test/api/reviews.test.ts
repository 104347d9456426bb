import { expect } from 'chai';
import { readCapture } from '../../domain/payments/capture/store.ts';
import type { ChargeFact } from '../../domain/payments/charge/facts.ts';
import { advanceCharge } from '../../domain/payments/facts/advance-charge.ts';
import { newId } from '../../domain/shared/ids.ts';
import { auditOf } from '../support/audit.ts';
import { newCharge, openCharge, stored } from '../support/charges.ts';
import { expectRefusal, expectRefused } from '../support/contract.ts';
import { useMember } from '../support/members.ts';
import { newLink, openedBy, readLink } from '../support/payment-links.ts';
import { settleRefunds } from '../support/refunds.ts';
import { writingNothing } from '../support/row-counts.ts';
import { useStack } from '../support/stack.ts';

type Charge = { reference: string };

describe('A review', () => {
  const stack = useStack();
  const owner = useMember(stack, 'owner');

  /** Decides as the Owner, and lets the workers run what follows. */
  async function post(verb: 'accept' | 'return', { id }: { id: string }, body: object = {}) {
    const answer = await owner.api.post(`/reviews/${id}/${verb}`, body);
    await stack.settle();
    return answer;
  }
  async function reviewOf({ reference }: Charge): Promise<Record<string, any> & { id: string }> {
    const { data } = (await stack.api.get('/reviews?limit=100')).json;
    const [review, ...more] = data.filter((one: Charge) => one.reference === reference);
    expect(more).to.deep.equal([]);
    return review;
  }
  async function record(charge: Charge, fact: ChargeFact): Promise<void> {
    const { id } = await stored(stack, charge);
    await stack.context.inTx((tx) => advanceCharge(tx, id, fact));
  }
  async function refundsOf(charge: Charge) {
    const { id } = await stored(stack, charge);
    return stack.sql`select * from refunds where charge_id = ${id}`;
  }
  async function underpaid(): Promise<Charge> {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { amount_kobo: 60_000 });
    await stack.settle();
    const held = { status: 'pending', review: ['underpaid'] };
    expect(await stored(stack, charge)).to.deep.include(held);
    return charge;
  }

  it('is shown in full before and after', async () => {
    const charge = await underpaid();
    const { captures, id: chargeId } = await stored(stack, charge);
    const provider_reference = captures[0]!.provider_payment_id;
    const { id, created_at, ...review } = await reviewOf(charge);
    expect(review).to.deep.equal({
      ...{ object: 'review', reference: charge.reference, transaction_id: chargeId },
      reason: 'underpaid',
      detail: 'The payer paid less than was asked: ₦600.00 of ₦1,000.00.',
      amount_kobo: 60_000,
      payment: { provider: 'provider_a', provider_reference, amount_kobo: 60_000 },
      ...{
        status: 'open',
        first_approved_at: null,
        decided_by: null,
        decided_at: null,
        mode: 'test',
      },
    });
    const answer = await post('accept', { id }, { note: 'A discount was agreed.' });
    expect(answer.status, answer.text).to.equal(200);
    const { decided_at } = answer.json;
    const decided = { status: 'accepted', decided_by: owner.memberId, decided_at };
    expect(answer.json).to.deep.equal({ id, created_at, ...review, ...decided });
    expect((await stack.api.get(`/reviews/${id}`)).json).to.deep.equal(answer.json);
    const { data } = (await stack.api.get('/reviews?status=closed')).json;
    expect(data[0]).to.deep.equal(answer.json);
    const detail = `underpaid of ${charge.reference}: A discount was agreed.`;
    const entry = { actor: owner.memberId, action: 'review.accepted', detail };
    expect(await auditOf(stack, id)).to.deep.equal([entry]);
    const [line] = await stack.sql<any>`select detail, amount_kobo from timeline_entries
      where charge_id = ${chargeId} and what = 'review.accepted'`;
    expect(line).to.deep.equal({
      detail: `Accepted (${id}): ${review.detail} Note: A discount was agreed.`,
      amount_kobo: 60_000,
    });
  });

  it('returned outside of the service sends nothing, and says from which account', async () => {
    const charge = await underpaid();
    const { id } = await reviewOf(charge);
    expectRefused(await post('return', { id }, { paid_from: 'cash' }), 'validation_failed', [
      'paid_from',
    ]);
    const answer = await post('return', { id }, { paid_from: 'bank' });
    expect(answer.json).to.include({ status: 'returned' });
    const [refund] = await refundsOf(charge);
    expect(refund).to.include({ status: 'completed', paid_from: 'bank', sent_at: null });
    const [line] = await stack.sql<any>`select detail from timeline_entries
      where charge_id = ${refund!.charge_id} and what = 'review.returned'`;
    expect(line.detail).to.match(/^Returned outside of this service, from the bank account of the/);
  });

  it('accepting an unknown status verifies again, and the same status opens no second review', async () => {
    const charge = await openCharge(stack);
    const fact = { type: 'unclear', words: 'status "half-paid"' } as const;
    await record(charge, fact);
    const review = await reviewOf(charge);
    expect(review).to.include({ reason: 'unknown_status', amount_kobo: null, payment: null });
    expectRefused(await post('return', review), 'invalid_state');
    const before = (await stored(stack, charge)).attempts[0]!.verified_at;
    expect((await post('accept', review)).status).to.equal(200);
    expect((await stored(stack, charge)).attempts[0]!.verified_at).to.not.deep.equal(before);
    await writingNothing(stack, () => record(charge, fact));
    expect((await stored(stack, charge)).review).to.deep.equal([]);
  });

  it('accepting an unknown status verifies captured and refused attempts too', async () => {
    const charge = await openCharge(stack);
    await record(charge, { type: 'unclear', words: 'status "half-refused"' });
    const review = await reviewOf(charge);
    for (const status of ['captured', 'refused']) {
      await stack.sql`update attempts set status = ${status}, verified_at = null
        where charge_id = ${review.transaction_id}`;
      await stack.sql`update reviews set status = 'open' where id = ${review.id}`;
      expect((await post('accept', review)).status).to.equal(200);
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
    const review = await reviewOf(charge);
    expect(review).to.deep.include({ reason: 'link_paid_before', amount_kobo: 100_000 });
    expect(review.detail).to.include(`was paid by ${before} before`);
    expect(review.payment).to.include({ amount_kobo: 100_000 });
    const refused = await post('return', review);
    expectRefused(refused, 'invalid_state');
    expect(refused.json.error.message).to.include('refund of the charge');
    expect((await post('accept', review)).json.status).to.equal('accepted');
    expect((await stored(stack, charge)).review).to.deep.equal([]);
  });

  it('happens once: of many simultaneous decisions one succeeds, the others get 409', async () => {
    const charge = await underpaid();
    const review = await reviewOf(charge);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        owner.api.post(`/reviews/${review.id}/${n % 2 ? 'accept' : 'return'}`, {}),
      ),
    );
    await settleRefunds(stack); // a refund that is on its way has notifications yet to come
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([
      200, 409, 409, 409, 409, 409,
    ]);
    const made = answers.find(({ status }) => status === 200)!.json.status;
    expect(await refundsOf(charge)).to.have.length(made === 'returned' ? 1 : 0);
    await expectRefusal(stack, () => post('accept', review), 'invalid_state');
    const { data } = (await stack.api.get(`/charges/${charge.reference}/timeline?limit=100`)).json;
    const decisions = data.filter(({ what }: { what: string }) => what.startsWith('review.'));
    expect(decisions.map(({ what }: { what: string }) => what)).to.deep.equal([`review.${made}`]);
  });

  it('of too little, accepted, pays the charge: one event, and only that much is refundable', async () => {
    const charge = await underpaid();
    expect((await post('accept', await reviewOf(charge))).status).to.equal(200);
    const { captures, events, ...paid } = await stored(stack, charge);
    expect(paid).to.deep.include({ status: 'succeeded', amount_kobo: 100_000, review: [] });
    expect(captures.map(({ status }) => status)).to.deep.equal(['applied']);
    expect(events.map(({ type }) => type)).to.deep.equal(['charge.succeeded']);
    const tooMuch = { reference: charge.reference, amount_kobo: 60_001, reason: 'x' };
    expectRefused(await stack.api.post('/refunds', tooMuch), 'validation_failed', ['amount_kobo']);
    const all = { reference: charge.reference, reason: 'All of it' };
    expect((await stack.api.post('/refunds', all)).json.amount_kobo).to.equal(60_000);
    await stack.api.get(`/charges/${charge.reference}`);
    expect((await stored(stack, charge)).events, 'asked again').to.have.length(1);
  });

  it('of too little, accepted after another payment paid the charge, is a duplicate', async () => {
    const charge = await underpaid();
    const { captures } = await stored(stack, charge);
    const held = await stack.context.inTx((tx) => readCapture(tx, captures[0]!.id));
    const whole = { providerPaymentId: `whole-${charge.reference}`, amountKobo: 100_000 };
    const captureId = newId('cap', stack.clock());
    await record(charge, { type: 'captured', ...held, ...whole, captureId });
    expect((await post('accept', await reviewOf(charge))).status).to.equal(200);
    const after = await stored(stack, charge);
    expect(after).to.deep.include({ status: 'succeeded', review: [] });
    expect(after.captures.map(({ status }) => status).sort()).to.deep.equal([
      'applied',
      'duplicate',
    ]);
    expect(await refundsOf(charge)).to.deep.equal([]);
  });

  it('of too little for a payment link, accepted, pays the link', async () => {
    const link = await newLink(stack, { amount_kobo: 100_000 });
    const charge = await openedBy(stack, link);
    await stack.settle();
    await stack.control.pay(charge.reference, { amount_kobo: 60_000 });
    await stack.settle();
    expect((await readLink(stack, link)).status).to.equal('active');
    expect((await post('accept', await reviewOf(charge))).status).to.equal(200);
    expect(await readLink(stack, link)).to.include({ status: 'paid', transaction_id: charge.id });
  });
});
