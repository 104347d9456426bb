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

/** A refund of ₦1,000 that was sent a minute ago. */
function given(status: RefundStatus, overrides: Partial<RefundRow> = {}): RefundRow {
  return {
    ...{ id: 'rfd_1', capture_id: 'cap_own', amount_kobo: 100_000, origin: 'merchant', status },
    ...{ sent_at: ago(MINUTE), accepted_at: null, attention: null, provider_refund_id: null },
    ...overrides,
  } as RefundRow;
}

const accepted = { accepted_at: ago(MINUTE), provider_refund_id: 'p-1' };

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

const decide = (refund: RefundRow, fact: RefundFact, paidBy: string | null = 'cap_own') =>
  decideRefund(refund, paidBy, fact, now);
const note = (what: string, detail: string) => ({
  type: 'append to timeline',
  entry: { what: `refund.${what}`, detail, amountKobo: 100_000 },
});
const took = [
  { type: 'cancel second record', providerRefundId: 'p-1' },
  note('accepted', 'The provider took the refund.'),
];
const returned = note('completed', '₦1,000.00 went back to the payer (rfd_1).');
const resolve = { type: 'resolve reviews of returned payment', captureId: 'cap_own' };
const check = { type: 'check for money sent twice', captureId: 'cap_own' };
const firstAnswer = { provider_refund_id: 'p-1', sent_at: ago(MINUTE), accepted_at: now };
const completed = { failure_message: null, completed_at: now, attention: null, due_at: null };

describe('A refund that the provider reports', () => {
  it('as under way, for the first time, is checked two seconds later', () => {
    expect(decide(given('sending'), reported('processing'))).to.deep.equal({
      status: 'processing',
      patch: { ...firstAnswer, attention: null, due_at: later(2 * SECOND) },
      effects: took,
    });
  });

  it('as under way again, keeps its id and its times', () => {
    const refund = given('processing', accepted);
    expect(decide(refund, reported('processing', { providerRefundId: 'p-2' }))).to.deep.equal({
      status: 'processing',
      patch: {
        ...{ provider_refund_id: 'p-1', sent_at: ago(MINUTE), accepted_at: ago(MINUTE) },
        ...{ attention: null, due_at: later(4 * MINUTE) },
      },
      effects: [],
    });
  });

  it('and that was never sent by us, is sent and accepted now', () => {
    const { patch } = decide(given('approved', { sent_at: null }), reported('processing'));
    expect(patch).to.include({ sent_at: now, accepted_at: now });
  });

  it('as completed, is counted and told, and is checked against disputes', () => {
    const completedAt = ago(SECOND);
    const decision = decide(given('processing', accepted), reported('completed', { completedAt }));
    expect(decision.status).to.equal('completed');
    expect(decision.patch).to.include({ ...completed, completed_at: completedAt });
    expect(decision.effects).to.deep.equal([
      returned,
      { type: 'publish', event: 'refund.completed' },
      { type: 'count refunds' },
      resolve,
      check,
    ]);
  });

  it('as completed at a time that nobody states, was completed now', () => {
    expect(decide(given('sending'), reported('completed'))).to.deep.include({
      status: 'completed',
      patch: { ...firstAnswer, ...completed },
    });
  });

  it('as completed twice, writes nothing more', () => {
    const { status, effects } = decide(given('completed', accepted), reported('completed'));
    expect([status, effects]).to.deep.equal(['completed', []]);
  });

  it('as completed, of a payment that is not the charge’s, resolves that payment’s reviews and is told to nobody', () => {
    const { effects } = decide(given('processing', accepted), reported('completed'), 'cap_other');
    expect(effects).to.deep.equal([returned, resolve, check]);
  });

  it('as completed, that the service made by itself, is told to nobody', () => {
    const own = given('processing', { ...accepted, origin: 'system' });
    expect(decide(own, reported('completed')).effects).to.deep.equal([returned, resolve, check]);
    const waiting = given('needs_attention', { ...accepted, origin: 'system', attention: 'x' });
    expect(decide(waiting, reported('completed')).effects).to.deep.equal([
      returned,
      resolve,
      { type: 'resolve review of return', captureId: 'cap_own' },
      check,
    ]);
  });

  it('as failed, fails with the provider’s words, or with ours', () => {
    for (const [message, words] of [
      ['No balance', 'No balance'],
      [null, 'The provider could not send the money back.'],
    ] as const) {
      const decision = decide(given('processing', accepted), reported('failed', { message }));
      expect(decision.status).to.equal('failed');
      expect(decision.patch).to.include({
        ...{ attention: null, due_at: null, failure_message: words, completed_at: null },
      });
      expect(decision.effects).to.deep.equal([
        note('failed', `₦1,000.00 did not go back: ${words} (rfd_1).`),
        { type: 'publish', event: 'refund.failed' },
        { type: 'ask providers' },
      ]);
    }
  });

  it('as failed, of a payment that is not the charge’s, is put before a person and told to nobody', () => {
    const adopted = given('processing', { ...accepted, origin: 'provider' });
    const { effects } = decide(adopted, reported('failed', { message: 'No' }), 'cap_other');
    expect(effects).to.deep.equal([
      note('failed', '₦1,000.00 did not go back: No (rfd_1).'),
      {
        type: 'advance charge',
        fact: { type: 'not returned', captureId: 'cap_own', amountKobo: 100_000, message: 'No' },
      },
      { type: 'ask providers' },
    ]);
  });

  it('as failed, that the service made by itself, is put before a person', () => {
    const own = given('processing', { ...accepted, origin: 'system' });
    expect(decide(own, reported('failed', { message: 'No' })).effects).to.deep.equal([
      note('failed', '₦1,000.00 did not go back: No (rfd_1).'),
      {
        type: 'advance charge',
        fact: { type: 'not returned', captureId: 'cap_own', amountKobo: 100_000, message: 'No' },
      },
      { type: 'ask providers' },
    ]);
  });

  it('as failed a second time, sends no second event', () => {
    for (const status of ['failed', 'reappeared'] as const) {
      const decision = decide(given(status, accepted), reported('failed'));
      expect([decision.status, decision.effects], status).to.deep.equal(['failed', []]);
      expect(decision.patch).to.include({ attention: null, due_at: null });
    }
  });

  it('as failed after it was completed, came back, and its charge counts it no more', () => {
    const detail = '₦1,000.00 came back after the refund was completed: No (rfd_1).';
    const failed = reported('failed', { message: 'No' });
    const amount = { captureId: 'cap_own', amountKobo: 100_000 };
    const { status, patch, effects } = decide(given('completed', accepted), failed);
    expect(status).to.equal('failed');
    expect(patch).to.include({ failure_message: 'No', completed_at: null, due_at: null });
    expect(effects).to.deep.equal([
      note('failed', detail),
      { type: 'publish', event: 'refund.failed' },
      { type: 'count refunds less one', ...amount, detail },
    ]);
    const fact = { type: 'not returned', ...amount, message: 'No' };
    const own = given('completed', { ...accepted, origin: 'system' });
    expect(decide(own, failed).effects).to.deep.equal([
      note('failed', detail),
      { type: 'advance charge', fact },
    ]);
  });

  it('as waiting for somebody, says so once', () => {
    const attention = 'It does not go on until somebody acts on it in the provider’s dashboard.';
    const first = decide(given('processing', accepted), reported('attention'));
    expect(first).to.deep.include({
      status: 'needs_attention',
      effects: [note('attention', attention)],
    });
    expect(first.patch).to.include({ attention });
    const again = decide(
      given('needs_attention', { ...accepted, attention }),
      reported('attention'),
    );
    expect(again.effects).to.deep.equal([]);
    const other = decide(
      given('needs_attention', { ...accepted, attention }),
      reported('attention', { message: 'Fund the wallet.' }),
    );
    expect(other.effects).to.deep.equal([note('attention', 'Fund the wallet.')]);
  });

  it('with a word that is not known, waits for a person', () => {
    const { status, patch } = decide(given('processing', accepted), reported('unknown'));
    expect(status).to.equal('needs_attention');
    expect(patch.attention).to.equal(
      'The provider reports the status "odd", which this service does not know.',
    );
  });

  it('as waiting for somebody, that the service made by itself, is put in review once', () => {
    const own = given('processing', { ...accepted, origin: 'system' });
    const fact = (message: string) => ({
      type: 'advance charge',
      fact: { type: 'return unclear', captureId: 'cap_own', amountKobo: 100_000, message },
    });
    const first = decide(own, reported('attention', { message: 'Fund it.' }));
    expect(first.effects).to.deep.equal([note('attention', 'Fund it.'), fact('Fund it.')]);
    const waiting = given('needs_attention', { ...accepted, origin: 'system', attention: 'x' });
    expect(decide(waiting, reported('attention', { message: 'y' })).effects).to.deep.equal([
      note('attention', 'y'),
    ]);
  });

  it('as under way after it failed, has reappeared', () => {
    const { status } = decide(given('failed', accepted), reported('processing'));
    expect(status).to.equal('reappeared');
  });

  it('as under way for 20 days, waits for a person', () => {
    const old = { ...accepted, accepted_at: ago(20 * DAY) };
    expect(decide(given('processing', old), reported('processing'))).to.deep.include({
      status: 'needs_attention',
    });
    const { patch } = decide(given('processing', old), reported('processing'));
    expect(patch).to.include({ due_at: null });
    expect(patch.attention).to.match(/^The provider has not finished it in 20 days\./);
    const before = { ...accepted, accepted_at: ago(20 * DAY - 1) };
    expect(decide(given('processing', before), reported('processing')).status).to.equal(
      'processing',
    );
  });
});

describe('A refund that is refused', () => {
  it('fails, and is put before a person where the service made it by itself', () => {
    const fact: RefundFact = { type: 'refused', message: 'No' };
    expect(decide(given('sending'), fact).effects.slice(1)).to.deep.equal([
      { type: 'publish', event: 'refund.failed' },
      { type: 'ask providers' },
    ]);
    const { effects } = decide(given('sending', { origin: 'system' }), fact);
    expect(effects[1]).to.deep.include({ type: 'advance charge' });
  });

  it('before it was sent, has no provider asked', () => {
    const { effects } = decide(given('approved'), { type: 'refused', message: 'No' });
    expect(effects.slice(1)).to.deep.equal([{ type: 'publish', event: 'refund.failed' }]);
  });

  it('because nothing is left needs no person', () => {
    const fact: RefundFact = { type: 'nothing left', message: 'All went back.' };
    const { status, effects } = decide(given('sending', { origin: 'system' }), fact);
    expect(status).to.equal('failed');
    expect(effects).to.deep.equal([
      note('failed', '₦1,000.00 did not go back: All went back. (rfd_1).'),
    ]);
  });

  it('after it was rejected stays rejected', () => {
    const decision = decide(given('rejected'), { type: 'refused', message: 'No' });
    expect(decision).to.deep.equal({ status: 'rejected', patch: {}, effects: [] });
  });
});

describe('A refund whose outcome is not known', () => {
  const unclear = (sendsAgain = false): RefundFact => ({
    type: 'unclear',
    message: 'no answer',
    sendsAgain,
  });

  it('is looked for, and then a person has to look', () => {
    expect(decide(given('sending'), unclear())).to.deep.equal({
      status: 'unconfirmed',
      patch: { attention: null, due_at: later(4 * MINUTE) },
      effects: [],
    });
    const late = decide(given('unconfirmed', { sent_at: ago(2 * HOUR) }), unclear());
    expect(late.status).to.equal('unresolved');
    expect(late.patch.attention).to.match(/^Whether the provider took this refund is not known/);
    expect(late.patch.due_at).to.deep.equal(later(HOUR));
    expect(late.effects).to.deep.equal([
      note(
        'attention',
        `What became of the refund is not known: no answer. ${late.patch.attention}`,
      ),
    ]);
  });

  it('is sent again to a provider that pays one id once, at its next check', () => {
    expect(decide(given('sending'), unclear(true))).to.deep.equal({
      status: 'unconfirmed',
      patch: { attention: null, due_at: later(4 * MINUTE) },
      effects: [],
    });
  });

  it('is left alone where a person looks already', () => {
    const { status, effects } = decide(
      given('unresolved', { attention: 'look', sent_at: ago(MINUTE) }),
      unclear(),
    );
    expect(status).to.equal('unresolved');
    expect(effects).to.have.length(1);
  });

  it('that the provider took and does not show any more, waits for a person', () => {
    const { status, patch } = decide(
      given('processing', { ...accepted, sent_at: ago(2 * HOUR) }),
      unclear(),
    );
    expect(status).to.equal('needs_attention');
    expect(patch.attention).to.match(/^The provider took this refund and does not show it/);
  });

  it('changes nothing once it has ended, or before it is sent', () => {
    for (const status of ['approved', 'completed', 'failed'] as const)
      for (const fact of [unclear(), unclear(true), { type: 'no answer' }] as RefundFact[])
        expect(decide(given(status, accepted), fact), status).to.deep.equal({
          ...{ status, patch: {}, effects: [] },
        });
  });

  it('that may not be sent again before somebody acted, waits for them', () => {
    const decision = decide(given('unconfirmed'), {
      type: 'blocked',
      reason: 'A dispute is open.',
    });
    expect(decision).to.deep.equal({
      status: 'unresolved',
      patch: { attention: 'A dispute is open.', due_at: later(4 * MINUTE) },
      effects: [],
    });
  });

  it('of which nobody answers is asked about again, with what a person was told', () => {
    expect(decide(given('sending'), { type: 'no answer' })).to.deep.equal({
      status: 'unconfirmed',
      patch: { attention: null, due_at: later(5 * SECOND) },
      effects: [],
    });
    const waiting = given('needs_attention', { ...accepted, attention: 'Fund it.' });
    expect(decide(waiting, { type: 'no answer' }).patch.attention).to.equal('Fund it.');
  });

  it('in 20 days, waits for a person; one that had failed fails again', () => {
    const old = { sent_at: ago(20 * DAY) };
    const { status, patch } = decide(given('unconfirmed', old), { type: 'no answer' });
    expect(status).to.equal('unresolved');
    expect(patch.attention).to.match(/^Whether the provider took this refund is not known/);
    const again = decide(given('reappeared', { ...accepted, accepted_at: ago(20 * DAY) }), {
      type: 'no answer',
    });
    expect([again.status, again.patch]).to.deep.equal([
      'failed',
      { attention: null, due_at: null },
    ]);
  });
});
