import { expect } from 'chai';
import { advanceCharge } from '../../../domain/charge/advance.ts';
import { readCapture } from '../../../domain/charge/captures.ts';
import type { ChargeFact } from '../../../domain/charge/facts.ts';
import { auditOf } from '../../support/audit.ts';
import { openCharge, paidCharge, stored } from '../../support/charges.ts';
import { DAY } from '../../support/clock.ts';
import { expectContractHeaders, expectError } from '../../support/contract.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { newLink, openedBy, readLink } from '../../support/payment-links.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';

describe('Deciding a review', () => {
  let stack: Stack;
  let owner: SignedIn;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    owner = await memberOf(stack, stack.tenant, 'owner'); // a token is good for a day, and days pass here
  });
  afterEach(() => expectNoLeaks(stack));

  type Charge = { reference: string };
  const post = async (verb: 'accept' | 'return', { id }: { id: string }, body: object = {}) => {
    const answer = await stack.api.post(`/reviews/${id}/${verb}`, body, { key: owner.token });
    await stack.settle();
    return answer;
  };
  const reviewsOf = async ({ reference }: Charge): Promise<Record<string, any>[]> =>
    (await stack.api.get('/reviews?limit=100')).json.data.filter((review: Record<string, any>) => review.reference === reference);
  const reviewOf = async (charge: Charge) => {
    const [review, ...more] = await reviewsOf(charge);
    expect(more).to.deep.equal([]);
    return review as Record<string, any> & { id: string };
  };
  const tell = ({ reference }: Charge, fact: ChargeFact) =>
    stack.context.atomically(async (phase) => {
      const [row] = await phase.sql.query<{ id: string }>('select id from charges where number = $1', [Number(reference.slice(3))]);
      return advanceCharge(phase, row!.id, fact);
    });
  const refundsOf = async (charge: Charge) => {
    const { id } = await stored(stack, charge);
    return stack.context.db.query<Record<string, any>>('select * from refunds where charge_id = $1 order by id', [id]);
  };
  const whatOf = async ({ reference }: Charge): Promise<string[]> =>
    (await stack.api.get(`/charges/${reference}/timeline?limit=100`)).json.data.map(({ what }: { what: string }) => what);

  /** A charge of ₦1,000 of which ₦600 was paid. */
  async function underpaid(body?: object): Promise<Charge> {
    const charge = await openCharge(stack, body as Record<string, unknown>);
    await stack.control.pay(charge.reference, { amount_kobo: 60_000 });
    await stack.settle();
    expect(await stored(stack, charge)).to.deep.include({ status: 'pending', review: ['underpaid'] });
    return charge;
  }

  it('is shown in full before and after', async () => {
    const charge = await underpaid();
    const { captures, id: chargeId } = await stored(stack, charge);
    const review = await reviewOf(charge);
    expect(review).to.deep.equal({
      object: 'review',
      id: review.id,
      reference: charge.reference,
      transaction_id: chargeId,
      reason: 'underpaid',
      detail: 'The payer paid less than was asked: ₦600.00 of ₦1,000.00.',
      amount_kobo: 60_000,
      payment: { provider: 'provider_a', provider_reference: captures[0]!.provider_payment_id, amount_kobo: 60_000 },
      status: 'open',
      decided_by: null,
      decided_at: null,
      created_at: review.created_at,
      mode: 'test',
    });
    const answer = await post('accept', review, { note: 'A discount was agreed.' });
    expect(answer.status, answer.text).to.equal(200);
    expectContractHeaders(answer, stack.tenant.tenant_id);
    const { decided_at: decidedAt } = answer.json;
    expect(new Date(decidedAt).toISOString()).to.equal(decidedAt);
    expect(answer.json).to.deep.equal({ ...review, status: 'accepted', decided_by: owner.memberId, decided_at: decidedAt });
    expect((await stack.api.get(`/reviews/${review.id}`)).json).to.deep.equal(answer.json);
    expect(await auditOf(stack, review.id)).to.deep.equal([
      { actor: owner.memberId, action: 'review.accepted', detail: `underpaid of ${charge.reference}: A discount was agreed.` },
    ]);
    const [line] = await stack.context.db.query<any>(
      `select detail, amount_kobo from timeline_entries where charge_id = $1 and what = $2`,
      [chargeId, 'review.accepted'],
    );
    expect(line).to.deep.equal({ detail: `Accepted (${review.id}): ${review.detail} Note: A discount was agreed.`, amount_kobo: 60_000 });
  });

  it('too little, accepted, is the charge’s payment: told once, and no more than it can ever go back', async () => {
    const charge = await underpaid();
    expect((await post('accept', await reviewOf(charge))).status).to.equal(200);
    const { status, amount_kobo: amountKobo, review, events, captures } = await stored(stack, charge);
    expect({ status, amountKobo, review }).to.deep.equal({ status: 'succeeded', amountKobo: 100_000, review: [] });
    expect(captures.map(({ kind }) => kind)).to.deep.equal(['kept']);
    expect(events.map(({ type }) => type)).to.deep.equal(['charge.succeeded']);
    const tooMuch = { reference: charge.reference, amount_kobo: 60_001, reason: 'x' };
    expectError(await stack.api.post('/refunds', tooMuch), 422, 'validation_failed', ['amount_kobo']);
    const { json } = await stack.api.post('/refunds', { reference: charge.reference, reason: 'All of it' });
    expect(json.amount_kobo).to.equal(60_000);
    await stack.api.get(`/charges/${charge.reference}`);
    expect((await stored(stack, charge)).events, 'asked again').to.have.length(1);
  });

  it('too little, returned, goes back without an Owner, and the charge is free to expire', async () => {
    const charge = await underpaid();
    expect((await post('return', await reviewOf(charge))).json.status).to.equal('returned');
    const [refund, ...more] = await refundsOf(charge);
    expect(more).to.deep.equal([]);
    expect(refund).to.include({ amount_kobo: 60_000, origin: 'system', reason: 'It was less than was asked.' });
    const returned = await stored(stack, charge);
    expect(returned).to.deep.include({ status: 'pending', review: [], refunded_kobo: 0 });
    expect(
      returned.captures.map(({ kind }) => kind),
      'nothing the charge can be completed with',
    ).to.deep.equal(['extra']);
    stack.clock.advance(DAY + 60_000);
    await stack.settle();
    await stack.api.get(`/charges/${charge.reference}`);
    expect((await stored(stack, charge)).status).to.equal('failed');
  });

  it('too little of a charge that was paid after all is kept beside it', async () => {
    const charge = await underpaid();
    const { captures } = await stored(stack, charge);
    const held = await readCapture({ sql: stack.context.db, vault: stack.context.vault, now: stack.clock() }, captures[0]!.id);
    await tell(charge, { ...held, providerPaymentId: `whole-${charge.reference}`, amountKobo: 100_000 });
    expect((await post('accept', await reviewOf(charge))).status).to.equal(200);
    const after = await stored(stack, charge);
    expect(after).to.deep.include({ status: 'succeeded', review: [] });
    expect(after.captures.map(({ kind }) => kind).sort()).to.deep.equal(['extra', 'kept']);
    expect(await refundsOf(charge)).to.deep.equal([]);
  });

  it('a payment that grew to the whole answered itself', async () => {
    const charge = await underpaid();
    const review = await reviewOf(charge);
    const { captures } = await stored(stack, charge);
    const held = await readCapture({ sql: stack.context.db, vault: stack.context.vault, now: stack.clock() }, captures[0]!.id);
    await tell(charge, { ...held, amountKobo: 100_000 });
    expect(await stored(stack, charge)).to.deep.include({ status: 'succeeded', review: [] });
    expect(await reviewOf(charge)).to.include({ id: review.id, status: 'resolved', decided_by: null });
    const refused = await post('return', review);
    expectError(refused, 409, 'invalid_state');
    expect(refused.json.error.message).to.include('it is resolved');
  });

  /** A charge of ₦1,000 for which ₦1,200 was paid. */
  async function overpaid(): Promise<Charge> {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { amount_kobo: 120_000 });
    await stack.settle();
    expect(await reviewOf(charge)).to.include({ reason: 'overpaid', amount_kobo: 20_000 });
    return charge;
  }

  it('too much, accepted, stays with the merchant', async () => {
    const charge = await overpaid();
    expect((await post('accept', await reviewOf(charge))).json.status).to.equal('accepted');
    expect(await stored(stack, charge)).to.deep.include({ status: 'succeeded', review: [] });
    expect(await refundsOf(charge)).to.deep.equal([]);
  });

  it('too much, returned, sends the excess back and nothing of the charge', async () => {
    const charge = await overpaid();
    await post('return', await reviewOf(charge));
    expect((await refundsOf(charge)).map(({ amount_kobo, origin }) => [amount_kobo, origin])).to.deep.equal([[20_000, 'system']]);
    stack.clock.advance(60_000);
    await stack.settle();
    const after = await stored(stack, charge);
    expect(after).to.deep.include({ status: 'succeeded', refunded_kobo: 0, review: [] });
    expect((await refundsOf(charge))[0]!.status).to.equal('completed');
    expect((await stack.api.post('/refunds', { reference: charge.reference, reason: 'All' })).json.amount_kobo).to.equal(100_000);
  });

  /** A second payment of ₦1,000 that could not be sent back. */
  async function paidTwice(): Promise<Charge> {
    const charge = await paidCharge(stack);
    const { captures } = await stored(stack, charge);
    const kept = await readCapture({ sql: stack.context.db, vault: stack.context.vault, now: stack.clock() }, captures[0]!.id);
    await tell(charge, { ...kept, providerPaymentId: `twice-${charge.reference}` });
    await stack.settle();
    const [refund] = await refundsOf(charge);
    await stack.context.db.query(`update refunds set status = 'failed', due_at = null where id = $1`, [refund!.id]);
    await stack.context.db.query(`delete from reviews where charge_id = $1`, [refund!.charge_id]);
    await tell(charge, { type: 'not returned', captureId: refund!.capture_id, amountKobo: 100_000, message: 'The account is closed.' });
    expect(await reviewOf(charge)).to.include({ reason: 'extra_capture', amount_kobo: 100_000 });
    return charge;
  }

  it('what came twice, accepted, is kept outside the charge', async () => {
    const charge = await paidTwice();
    expect((await post('accept', await reviewOf(charge))).status).to.equal(200);
    expect(await stored(stack, charge)).to.deep.include({ status: 'succeeded', review: [], refunded_kobo: 0 });
    expect(await refundsOf(charge)).to.have.length(1);
  });

  it('what came twice, returned, is sent back once more', async () => {
    const charge = await paidTwice();
    expect((await post('return', await reviewOf(charge))).status).to.equal(200);
    const [, again] = await refundsOf(charge);
    expect(again).to.include({ origin: 'system', amount_kobo: 100_000, reason: 'It was paid a second time.' });
  });

  it('a payment that does not fit is the charge’s once a person says so', async () => {
    const charge = await openCharge(stack);
    const { attempts } = await stored(stack, charge);
    const attempt = attempts[0]!;
    await tell(charge, {
      ...{ type: 'captured', attemptId: attempt.id, attemptReference: attempt.reference, reference: 'another-reference' },
      ...{ attemptedAt: attempt.created_at, connectionId: attempt.connection_id, slot: attempt.slot, providerPaymentId: 'odd' },
      ...{ amountKobo: 110_000, feeKobo: 0, currency: 'NGN', channel: 'card', mode: 'test', createdAt: null, capturedAt: stack.clock() },
    });
    expect(await stored(stack, charge)).to.deep.include({ status: 'pending', review: ['capture_mismatch'] });
    expect((await post('accept', await reviewOf(charge))).status).to.equal(200);
    const after = await stored(stack, charge);
    expect(after).to.deep.include({ status: 'succeeded', review: ['overpaid'], provider_reference: 'odd' });
    expect((await reviewsOf(charge)).map(({ reason, amount_kobo }) => [reason, amount_kobo])).to.deep.equal([
      ['overpaid', 10_000],
      ['capture_mismatch', 110_000],
    ]);
  });

  it('words nobody knows, accepted, have the provider asked again, and are not asked about again', async () => {
    const charge = await openCharge(stack);
    const words = { type: 'unclear', words: 'status "half-paid"' } as const;
    await tell(charge, words);
    const review = await reviewOf(charge);
    expect(review).to.include({ reason: 'unknown_status', amount_kobo: null, payment: null });
    const refused = await post('return', review);
    expectError(refused, 409, 'invalid_state');
    const before = (await stored(stack, charge)).attempts[0]!.verified_at;
    expect((await post('accept', review)).status).to.equal(200);
    expect((await stored(stack, charge)).attempts[0]!.verified_at).to.not.deep.equal(before);
    await writingNothing(stack, () => tell(charge, words));
    expect((await stored(stack, charge)).review).to.deep.equal([]);
  });

  it('too little for a payment link, accepted, pays the link', async () => {
    const link = await newLink(stack, { amount_kobo: 100_000 });
    const charge = await openedBy(stack, link);
    await stack.settle();
    await stack.control.pay(charge.reference, { amount_kobo: 60_000 });
    await stack.settle();
    expect((await readLink(stack, link)).status).to.equal('active');
    expect((await post('accept', await reviewOf(charge))).status).to.equal(200);
    expect(await readLink(stack, link)).to.include({ status: 'paid', transaction_id: charge.id });
  });

  it('a link paid twice is noted, and its money asked back by a refund of the charge', async () => {
    const link = await newLink(stack, { amount_kobo: 100_000 });
    const charge = await openedBy(stack, link);
    await stack.settle();
    await stack.context.db.query(`update payment_links set status = 'paid', transaction_id = 'txn_of_before' where id = $1`, [link.id]);
    await stack.control.pay(charge.reference);
    await stack.settle();
    const review = await reviewOf(charge);
    expect(review).to.deep.include({ reason: 'link_paid_before', amount_kobo: 100_000 });
    expect(review.detail).to.include('was paid by txn_of_before before');
    expect(review.payment).to.include({ amount_kobo: 100_000 });
    const refused = await post('return', review);
    expectError(refused, 409, 'invalid_state');
    expect(refused.json.error.message).to.include('POST /refunds');
    expect((await post('accept', review)).json.status).to.equal('accepted');
    expect((await stored(stack, charge)).review).to.deep.equal([]);
  });

  it('happens once: of many at once one is made, and the others are told', async () => {
    const charge = await underpaid();
    const review = await reviewOf(charge);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => stack.api.post(`/reviews/${review.id}/${n % 2 ? 'accept' : 'return'}`, {}, { key: owner.token })),
    );
    await stack.settle();
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409, 409, 409]);
    const made = answers.find(({ status }) => status === 200)!.json.status;
    expect(await refundsOf(charge)).to.have.length(made === 'returned' ? 1 : 0);
    expectError(await writingNothing(stack, () => post('accept', review)), 409, 'invalid_state');
    expect((await whatOf(charge)).filter((what) => what.startsWith('review.'))).to.deep.equal([`review.${made}`]);
  });

  it('is nobody’s whose it is not: 404 in another business, in the other mode, and for an id that is none', async () => {
    const review = await reviewOf(await underpaid());
    const stranger = await memberOf(stack, await stack.newTenant(), 'owner');
    const inLive = await memberOf(stack, stack.tenant, 'owner', 'live');
    for (const { token: key } of [stranger, inLive]) {
      for (const verb of ['accept', 'return']) {
        expectError(await writingNothing(stack, () => stack.api.post(`/reviews/${review.id}/${verb}`, {}, { key })), 404, 'not_found');
      }
    }
    for (const id of ['rev_01h455vb4pex5vsknk084sn02q', 'rev_', '%00']) expectError(await post('accept', { id }), 404, 'not_found');
  });
});
