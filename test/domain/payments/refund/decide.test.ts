import { expect } from 'chai';
import { decideRefund } from '../../../../domain/payments/refund/decide.ts';
import type { RefundFact } from '../../../../domain/payments/refund/decision.ts';
import type { RefundRow } from '../../../../domain/payments/refund/row.ts';
import type { RefundStatus } from '../../../../domain/payments/refund/transitions.ts';
import type { ProviderRefund } from '../../../../domain/providers/port/refund.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../support/clock.ts';

const now = new Date('2026-03-02T10:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const later = (ms: number) => new Date(now.getTime() + ms);

function given(status: RefundStatus, overrides: Partial<RefundRow> = {}): RefundRow {
  return {
    ...{ id: 'rfd_1', capture_id: 'cap_own', amount_kobo: 100_000, origin: 'merchant', status },
    ...{ sent_at: ago(MINUTE), accepted_at: null, attention: null, provider_refund_id: null },
    ...overrides,
  } as RefundRow;
}

const taken = (status: RefundStatus, overrides: Partial<RefundRow> = {}) =>
  given(status, { accepted_at: ago(MINUTE), provider_refund_id: 'p-1', ...overrides });
const ofOurs = (status: RefundStatus, overrides: Partial<RefundRow> = {}) =>
  taken(status, { origin: 'system', ...overrides });

function reported(
  state: ProviderRefund['state'],
  fields: Partial<ProviderRefund> = {},
): RefundFact {
  const refund = {
    ...{ providerRefundId: 'p-1', refundId: 'rfd_1', amountKobo: 100_000, status: 'odd', state },
    ...{ message: null, completedAt: null, raw: '{}' },
    ...fields,
  };
  return { type: 'reported', refund };
}

const refused: RefundFact = { type: 'refused', message: 'No' };
const unclear = (sendsAgain = false): RefundFact => ({
  ...{ type: 'unclear', message: 'no answer', sendsAgain },
});
const noAnswer: RefundFact = { type: 'no answer' };

const note = (what: string, detail: string) => ({
  type: 'append to timeline',
  entry: { what: `refund.${what}`, detail, amountKobo: 100_000 },
});
const didNotGo = (why: string) => note('failed', `₦1,000.00 did not go back: ${why} (rfd_1).`);
const took = [
  { type: 'cancel second record', providerRefundId: 'p-1' },
  note('accepted', 'The provider took the refund.'),
];
const returned = note('completed', '₦1,000.00 went back to the payer (rfd_1).');
const resolve = { type: 'resolve reviews of returned payment', captureId: 'cap_own' };
const check = { type: 'check for money sent twice', captureId: 'cap_own' };
const publishFailed = { type: 'publish', event: 'refund.failed' };
const ask = { type: 'ask providers' };
const advance = (type: string, message: string) => ({
  type: 'advance charge',
  fact: { type, captureId: 'cap_own', amountKobo: 100_000, message },
});
const firstAnswer = { provider_refund_id: 'p-1', sent_at: ago(MINUTE), accepted_at: now };
const completed = { failure_message: null, completed_at: now, attention: null, due_at: null };
const cameBack = '₦1,000.00 came back after the refund was completed: No (rfd_1).';
const toAct = 'It does not go on until somebody acts on it in the provider’s dashboard.';
const couldNot = 'The provider could not send the money back.';
const old = { accepted_at: ago(20 * DAY) };
const unsure = /^Whether the provider took this refund is not known/;

interface Row {
  refund: RefundRow;
  fact: RefundFact;
  /** The payment of the charge, where it is another one. */
  paidBy?: string;
  status: RefundStatus;
  /** All of it, or with `some` what it includes. */
  patch?: object;
  some?: object;
  attention?: RegExp;
  effects?: object[];
}

const on = (refund: RefundRow, fact: RefundFact, decided: Omit<Row, 'refund' | 'fact'>): Row => ({
  ...{ refund, fact },
  ...decided,
});

const rows: Record<string, Row> = {
  'under way for the first time is checked two seconds later': on(
    given('sending'),
    reported('processing'),
    {
      status: 'processing',
      patch: { ...firstAnswer, attention: null, due_at: later(2 * SECOND) },
      effects: took,
    },
  ),
  'under way again keeps its id and its times': on(
    taken('processing'),
    reported('processing', { providerRefundId: 'p-2' }),
    {
      status: 'processing',
      patch: {
        ...{ provider_refund_id: 'p-1', sent_at: ago(MINUTE), accepted_at: ago(MINUTE) },
        ...{ attention: null, due_at: later(4 * MINUTE) },
      },
      effects: [],
    },
  ),
  'under way that was never sent by us is sent and accepted now': on(
    given('approved', { sent_at: null }),
    reported('processing'),
    { status: 'processing', some: { sent_at: now, accepted_at: now } },
  ),
  'under way after it failed has reappeared': on(taken('failed'), reported('processing'), {
    status: 'reappeared',
  }),
  'under way for 20 days waits for a person': on(taken('processing', old), reported('processing'), {
    ...{ status: 'needs_attention', some: { due_at: null } },
    attention: /^The provider has not finished it in 20 days\./,
  }),
  'under way for a tick less does not': on(
    taken('processing', { accepted_at: ago(20 * DAY - 1) }),
    reported('processing'),
    { status: 'processing' },
  ),
  'completed is counted and told, and is checked against disputes': on(
    taken('processing'),
    reported('completed', { completedAt: ago(SECOND) }),
    {
      status: 'completed',
      some: { ...completed, completed_at: ago(SECOND) },
      effects: [
        ...[returned, { type: 'publish', event: 'refund.completed' }, { type: 'count refunds' }],
        ...[resolve, check],
      ],
    },
  ),
  'completed at a time that nobody states was completed now': on(
    given('sending'),
    reported('completed'),
    { status: 'completed', patch: { ...firstAnswer, ...completed } },
  ),
  'completed twice writes nothing more': on(taken('completed'), reported('completed'), {
    ...{ status: 'completed', effects: [] },
  }),
  'completed, of a payment that is not the charge’s, is told to nobody': on(
    taken('processing'),
    reported('completed'),
    { paidBy: 'cap_other', status: 'completed', effects: [returned, resolve, check] },
  ),
  'completed, of ours, is told to nobody': on(ofOurs('processing'), reported('completed'), {
    ...{ status: 'completed', effects: [returned, resolve, check] },
  }),
  'completed, of ours, of which a person was asked, resolves that question': on(
    ofOurs('needs_attention', { attention: 'x' }),
    reported('completed'),
    {
      status: 'completed',
      effects: [
        ...[returned, resolve, { type: 'resolve review of return', captureId: 'cap_own' }, check],
      ],
    },
  ),
  'failed has the provider’s words': on(
    taken('processing'),
    reported('failed', { message: 'No balance' }),
    {
      status: 'failed',
      some: { attention: null, due_at: null, failure_message: 'No balance', completed_at: null },
      effects: [didNotGo('No balance'), publishFailed, ask],
    },
  ),
  'failed without words has ours': on(taken('processing'), reported('failed'), {
    ...{ status: 'failed', some: { failure_message: couldNot } },
    effects: [didNotGo(couldNot), publishFailed, ask],
  }),
  'failed, of a payment that is not the charge’s, is put before a person': on(
    taken('processing', { origin: 'provider' }),
    reported('failed', { message: 'No' }),
    {
      ...{ paidBy: 'cap_other', status: 'failed' },
      effects: [didNotGo('No'), advance('not returned', 'No'), ask],
    },
  ),
  'failed, of ours, is put before a person': on(
    ofOurs('processing'),
    reported('failed', { message: 'No' }),
    { status: 'failed', effects: [didNotGo('No'), advance('not returned', 'No'), ask] },
  ),
  'failed a second time sends no second event': on(taken('failed'), reported('failed'), {
    ...{ status: 'failed', some: { attention: null, due_at: null }, effects: [] },
  }),
  'failed after it reappeared sends none either': on(taken('reappeared'), reported('failed'), {
    ...{ status: 'failed', some: { attention: null, due_at: null }, effects: [] },
  }),
  'failed after it was completed came back, and its charge counts it no more': on(
    taken('completed'),
    reported('failed', { message: 'No' }),
    {
      status: 'failed',
      some: { failure_message: 'No', completed_at: null, due_at: null },
      effects: [
        ...[note('failed', cameBack), publishFailed],
        {
          ...{ type: 'count refunds less one', captureId: 'cap_own', amountKobo: 100_000 },
          detail: cameBack,
        },
      ],
    },
  ),
  'failed after it was completed, of ours, is put before a person': on(
    ofOurs('completed'),
    reported('failed', { message: 'No' }),
    { status: 'failed', effects: [note('failed', cameBack), advance('not returned', 'No')] },
  ),
  'waiting for somebody says so': on(taken('processing'), reported('attention'), {
    ...{ status: 'needs_attention', some: { attention: toAct } },
    effects: [note('attention', toAct)],
  }),
  'waiting for somebody again says nothing': on(
    taken('needs_attention', { attention: toAct }),
    reported('attention'),
    { status: 'needs_attention', effects: [] },
  ),
  'waiting for something else says so': on(
    taken('needs_attention', { attention: toAct }),
    reported('attention', { message: 'Fund the wallet.' }),
    { status: 'needs_attention', effects: [note('attention', 'Fund the wallet.')] },
  ),
  'waiting for somebody, of ours, is put in review': on(
    ofOurs('processing'),
    reported('attention', { message: 'Fund it.' }),
    {
      status: 'needs_attention',
      effects: [note('attention', 'Fund it.'), advance('return unclear', 'Fund it.')],
    },
  ),
  'waiting for something else, of ours, is not put in review twice': on(
    ofOurs('needs_attention', { attention: 'x' }),
    reported('attention', { message: 'y' }),
    { status: 'needs_attention', effects: [note('attention', 'y')] },
  ),
  'with a word that is not known waits for a person': on(taken('processing'), reported('unknown'), {
    status: 'needs_attention',
    attention: /^The provider reports the status "odd", which this service does not know\.$/,
  }),
  'refused fails': on(given('sending'), refused, {
    ...{ status: 'failed', effects: [didNotGo('No'), publishFailed, ask] },
  }),
  'refused, of ours, is put before a person': on(given('sending', { origin: 'system' }), refused, {
    ...{ status: 'failed', effects: [didNotGo('No'), advance('not returned', 'No'), ask] },
  }),
  'refused before it was sent has no provider asked': on(given('approved'), refused, {
    ...{ status: 'failed', effects: [didNotGo('No'), publishFailed] },
  }),
  'refused because nothing is left needs no person': on(
    given('sending', { origin: 'system' }),
    { type: 'nothing left', message: 'All went back.' },
    { status: 'failed', effects: [didNotGo('All went back.')] },
  ),
  'refused after it was rejected stays rejected': on(given('rejected'), refused, {
    ...{ status: 'rejected', patch: {}, effects: [] },
  }),
  'whose outcome is not known is looked for': on(given('sending'), unclear(), {
    ...{ status: 'unconfirmed', effects: [] },
    patch: { attention: null, due_at: later(4 * MINUTE) },
  }),
  'whose outcome is not known is sent again to a provider that pays one id once, at its next check':
    on(given('sending'), unclear(true), {
      ...{ status: 'unconfirmed', effects: [] },
      patch: { attention: null, due_at: later(4 * MINUTE) },
    }),
  'whose outcome is not known for two hours waits for a person': on(
    given('unconfirmed', { sent_at: ago(2 * HOUR) }),
    unclear(),
    { status: 'unresolved', some: { due_at: later(HOUR) }, attention: unsure },
  ),
  'whose outcome is not known is left alone where a person looks already': on(
    given('unresolved', { attention: 'look' }),
    unclear(),
    { status: 'unresolved' },
  ),
  'that the provider took and does not show any more waits for a person': on(
    taken('processing', { sent_at: ago(2 * HOUR) }),
    unclear(),
    { status: 'needs_attention', attention: /^The provider took this refund and does not show it/ },
  ),
  'that may not be sent again before somebody acted waits for them': on(
    given('unconfirmed'),
    { type: 'blocked', reason: 'A dispute is open.' },
    {
      ...{ status: 'unresolved', effects: [] },
      patch: { attention: 'A dispute is open.', due_at: later(4 * MINUTE) },
    },
  ),
  'of which nobody answers is asked about again': on(given('sending'), noAnswer, {
    ...{ status: 'unconfirmed', effects: [] },
    patch: { attention: null, due_at: later(5 * SECOND) },
  }),
  'of which nobody answers keeps what a person was told': on(
    taken('needs_attention', { attention: 'Fund it.' }),
    noAnswer,
    { status: 'needs_attention', some: { attention: 'Fund it.' } },
  ),
  'of which nobody answers in 20 days waits for a person': on(
    given('unconfirmed', { sent_at: ago(20 * DAY) }),
    noAnswer,
    { status: 'unresolved', attention: unsure },
  ),
  'of which nobody answers in 20 days after it had failed fails again': on(
    taken('reappeared', old),
    noAnswer,
    { status: 'failed', patch: { attention: null, due_at: null } },
  ),
};

describe('A refund', () => {
  for (const [title, row] of Object.entries(rows))
    it(title, () => {
      const { refund, fact, paidBy = 'cap_own', status, patch, some, attention, effects } = row;
      const decision = decideRefund(refund, paidBy, fact, now);
      expect(decision.status).to.equal(status);
      if (patch) expect(decision.patch).to.deep.equal(patch);
      if (some) expect(decision.patch).to.deep.include(some);
      if (attention) expect(decision.patch.attention).to.match(attention);
      if (effects) expect(decision.effects).to.deep.equal(effects);
    });

  it('whose outcome is not known tells a person once what became of it', () => {
    const sent = { sent_at: ago(2 * HOUR) };
    const late = decideRefund(given('unconfirmed', sent), 'cap_own', unclear(), now);
    const detail = `What became of the refund is not known: no answer. ${late.patch.attention}`;
    expect(late.effects).to.deep.equal([note('attention', detail)]);
    const looked = given('unresolved', { attention: 'look' });
    expect(decideRefund(looked, 'cap_own', unclear(), now).effects).to.have.length(1);
  });

  it('that has ended, or is not sent yet, is changed by no silence', () => {
    for (const status of ['approved', 'completed', 'failed'] as const)
      for (const fact of [unclear(), unclear(true), noAnswer])
        expect(decideRefund(taken(status), 'cap_own', fact, now), status).to.deep.equal({
          ...{ status, patch: {}, effects: [] },
        });
  });
});
