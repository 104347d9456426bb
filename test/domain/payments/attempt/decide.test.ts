import { expect } from 'chai';
import {
  type AttemptDecision,
  type AttemptFact,
  type AttemptState,
  decideAttempt,
} from '../../../../domain/payments/attempt/decide.ts';
import type { AttemptStatus } from '../../../../domain/payments/attempt/transitions.ts';
import type { ProviderCapture, Verification } from '../../../../domain/providers/port/payment.ts';

const now = new Date('2026-03-02T10:00:00Z');
const createdAt = new Date('2026-03-02T09:00:00Z');
const askedAt = new Date('2026-03-02T09:59:59Z');
const tick = (moment: Date, ms: number) => new Date(moment.getTime() + ms);

type Row = AttemptState['attempt'];

const row = (status: AttemptStatus, overrides: Partial<Row> = {}) =>
  ({
    ...{ id: 'att_1', reference: 'SV-1-aaaaaaaa', connection_id: 'con_a', slot: 'provider_a' },
    ...{ link_expires_at: null, created_at: createdAt, status },
    ...overrides,
  }) as Row;

function given(status: AttemptStatus, overrides: Partial<AttemptState> = {}): AttemptState {
  return {
    attempt: row(status),
    others: [],
    charge: {
      ...{ status: 'pending', retrying: false },
      expires_at: tick(now, 1),
      cancel_requested_at: null,
      provider_wanted: 'auto',
    },
    usable: [
      { id: 'con_a', slot: 'provider_a' },
      { id: 'con_b', slot: 'provider_b' },
    ] as AttemptState['usable'],
    ...overrides,
  };
}

const charge = given('open').charge;
const withLinkUntil = (end: Date) =>
  given('open', { attempt: row('open', { link_expires_at: end }) });
const elsewhere = (status: AttemptStatus) => [row(status, { id: 'att_2' })];
const named = { ...charge, provider_wanted: 'provider_a' };
const onlyOther = [{ id: 'con_b', slot: 'provider_b' }] as AttemptState['usable'];

const capture: ProviderCapture = {
  ...{ providerPaymentId: 'pay', reference: 'SV-1-aaaaaaaa', amountKobo: 500_000, feeKobo: null },
  ...{ currency: 'NGN', channel: 'card', mode: 'test', createdAt, capturedAt: askedAt },
};

function verified(state: Verification['state'], fields: Partial<Verification> = {}): AttemptFact {
  const verification = {
    ...{ state, status: 'odd', captures: [], unknownWords: [], failureMessage: null, raw: '{}' },
    ...fields,
  } as Verification;
  return { type: 'verified', verification, askedAt };
}

const refused: AttemptFact = { type: 'refused', message: 'Not active' };
const lost: AttemptFact = { type: 'link lost', message: 'No link came.' };
const note = (status: AttemptStatus, detail: string) => ({
  type: 'append to timeline',
  entry: { what: `attempt.${status}`, detail, attemptId: 'att_1' },
});
const openAt = (connectionId: string, slot: string, dueAt = now) => ({
  type: 'open attempt',
  at: { connectionId, slot, dueAt },
});
const advance = (fact: object) => ({ type: 'advance charge', fact });
const chargeFails = advance({
  ...{ type: 'refused', message: 'No provider took the payment: Not active' },
});
const refuses = (...effects: object[]) => ({
  ...{ status: 'refused', effects: [note('refused', 'Not active'), ...effects] },
});
const loses = (...effects: object[]) => ({
  ...{ status: 'lost', effects: [note('lost', 'No link came.'), ...effects] },
});
const declines = (message: string, ...effects: object[]) => ({
  ...{ status: 'declined', verifiedAt: askedAt, effects: [note('declined', message), ...effects] },
});
const nothingNew = { verifiedAt: askedAt, effects: [] };
const linkEnded = 'The payment link ended unpaid.';

const chargeOpens = advance({ type: 'opened', slot: 'provider_a', connectionId: 'con_a' });
const chargePaid = (capturedAt = capture.capturedAt) =>
  advance({
    ...{ ...capture, type: 'captured', attemptId: 'att_1', attemptReference: 'SV-1-aaaaaaaa' },
    ...{ attemptedAt: createdAt, connectionId: 'con_a', slot: 'provider_a', capturedAt },
  });

const url = 'https://pay.example';
const accepted = (linkExpiresInMs: number | null): AttemptFact => ({
  ...{ type: 'accepted', url, linkExpiresInMs },
});
const opens = (expiresAt: Date | null) => ({
  ...{ status: 'open', link: { url, expiresAt, acceptedAt: now }, effects: [chargeOpens] },
});

interface Case {
  state: AttemptState;
  fact: AttemptFact;
  decision?: object | undefined;
}

/** What a fact decides; undefined: nothing. */
const on = (state: AttemptState, fact: AttemptFact, decision?: object) => ({
  state,
  fact,
  decision,
});
const each = <Name extends string>(
  names: readonly Name[],
  caseOf: (name: Name) => [string, Case],
) => Object.fromEntries(names.map(caseOf));

const cases: Record<string, Case> = {
  'a link without an end is open': on(given('sending'), accepted(null), opens(null)),
  'a link with an end is open until then': on(
    given('unconfirmed'),
    accepted(7),
    opens(tick(now, 7)),
  ),
  'a link that comes again changes nothing': on(given('open'), accepted(7)),
  'a refusal moves on to the next connection at once': on(
    given('sending'),
    refused,
    refuses(openAt('con_b', 'provider_b')),
  ),
  'a refusal by the named provider fails the charge': on(
    given('sending', { charge: named }),
    refused,
    refuses(chargeFails),
  ),
  'a refusal by the last connection fails the charge': on(
    given('sending', { usable: [], others: elsewhere('refused') }),
    refused,
    refuses(chargeFails),
  ),
  ...each(['sending', 'unconfirmed', 'open', 'lost'] as const, (status) => [
    `a refusal by the last connection fails nothing while another attempt is ${status}`,
    on(given('sending', { usable: [], others: elsewhere(status) }), refused, refuses()),
  ]),
  'a refusal after the end of the charge opens nothing': on(
    given('sending', { charge: { ...charge, expires_at: now } }),
    refused,
    refuses(),
  ),
  'a refusal after the charge was cancelled opens nothing': on(
    given('sending', { charge: { ...charge, cancel_requested_at: createdAt } }),
    refused,
    refuses(),
  ),
  'a lost link is replaced at the same connection': on(
    given('sending'),
    lost,
    loses(openAt('con_a', 'provider_a')),
  ),
  'the second lost link is replaced five seconds later': on(
    given('sending', { others: elsewhere('lost') }),
    lost,
    loses(openAt('con_a', 'provider_a', tick(now, 5_000))),
  ),
  'a lost link is replaced elsewhere where its connection is not usable any more': on(
    given('sending', { usable: onlyOther }),
    lost,
    loses(openAt('con_b', 'provider_b')),
  ),
  'a lost link of a named provider fails nothing: its payer may still pay': on(
    given('sending', { usable: onlyOther, charge: named }),
    lost,
    loses(),
  ),
  'an attempt that ended is replaced by nothing': on(
    given('queued'),
    { type: 'ended', message: 'The charge was paid.' },
    { status: 'cancelled', effects: [note('cancelled', 'The charge was paid.')] },
  ),
  'an answer without news is recorded': on(
    given('open'),
    verified('unpaid' as Verification['state']),
    nothingNew,
  ),
  'a payment is the charge’s, with what was sent for it': on(
    given('open'),
    verified('paid', { captures: [capture] }),
    { status: 'captured', verifiedAt: askedAt, effects: [chargePaid()] },
  ),
  'a payment without a time was captured when we heard of it': on(
    given('captured'),
    verified('paid', { captures: [{ ...capture, capturedAt: null }] }),
    { verifiedAt: askedAt, effects: [chargePaid(now)] },
  ),
  'a status that is not known is asked about, with every other such word': on(
    given('open'),
    verified('unknown', { unknownWords: ['channel "x"'] }),
    {
      verifiedAt: askedAt,
      effects: ['status "odd"', 'channel "x"'].map((words) => advance({ type: 'unclear', words })),
    },
  ),
  'a word that is not known of a known status is asked about alone': on(
    given('open'),
    verified('unpaid' as Verification['state'], { unknownWords: ['channel "x"'] }),
    { verifiedAt: askedAt, effects: [advance({ type: 'unclear', words: 'channel "x"' })] },
  ),
  'a decline declines the charge, in the provider’s words': on(
    given('open'),
    verified('declined', { failureMessage: 'Too little' }),
    declines('Too little', advance({ type: 'declined', message: 'Too little' })),
  ),
  'a decline leaves the charge alone while another attempt is open': on(
    given('open', { others: elsewhere('open') }),
    verified('declined', { failureMessage: 'Too little' }),
    declines('Too little'),
  ),
  'an end ends the attempt and not its charge': on(given('open'), verified('ended'), {
    status: 'expired',
    verifiedAt: askedAt,
    effects: [note('expired', linkEnded)],
  }),
  ...each(['retrying', 'absent'] as const, (state) => [
    `a payer whose payment is ${state} may still pay one tick before the link ends`,
    on(withLinkUntil(tick(askedAt, 1)), verified(state), nothingNew),
  ]),
  'failed tries decline the charge when the link has ended': on(
    withLinkUntil(askedAt),
    verified('retrying'),
    declines(linkEnded, advance({ type: 'declined', message: linkEnded })),
  ),
  'a link that nobody tried expires when it has ended': on(
    withLinkUntil(askedAt),
    verified('absent'),
    { status: 'expired', verifiedAt: askedAt, effects: [note('expired', linkEnded)] },
  ),
  'an open payment outlives its link until the provider ends it': on(
    withLinkUntil(askedAt),
    verified('unpaid' as Verification['state']),
    nothingNew,
  ),
};

function plainly(decision: AttemptDecision | undefined): object | undefined {
  return (
    decision &&
    JSON.parse(
      JSON.stringify(decision, (name, value) => (name === 'captureId' ? undefined : value)),
    )
  );
}

describe('What a fact decides about an attempt', () => {
  for (const [title, { state, fact, decision }] of Object.entries(cases))
    it(title, () => {
      expect(plainly(decideAttempt(state, fact, now))).to.deep.equal(
        plainly(decision as AttemptDecision | undefined),
      );
    });
});

describe('Several payments under one attempt', () => {
  it('count in the order in which they are stated, and those that were reversed last', () => {
    const paid = (providerPaymentId: string, isReversed?: boolean) => ({
      ...{ ...capture, providerPaymentId },
      ...(isReversed && { isReversed }),
    });
    const captures = [paid('1', true), paid('2'), paid('3', true), paid('4')];
    const { effects } = decideAttempt(given('open'), verified('paid', { captures }), now)!;
    const order = effects.flatMap((one) =>
      one.type === 'advance charge' && one.fact.type === 'captured'
        ? one.fact.providerPaymentId
        : [],
    );
    expect(order).to.deep.equal(['2', '4', '1', '3']);
  });
});
