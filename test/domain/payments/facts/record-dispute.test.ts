import { expect } from 'chai';
import { enterDispute } from '../../../../domain/payments/commands/enter-dispute.ts';
import { disputeView } from '../../../../domain/payments/dispute/row.ts';
import type { DisputeStatus } from '../../../../domain/payments/dispute/transitions.ts';
import { recordDispute } from '../../../../domain/payments/facts/record-dispute.ts';
import type { ProviderDispute } from '../../../../domain/providers/port/dispute.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { writingNothing } from '../../../support/row-counts.ts';
import { type Ledger, useLedger } from '../../ledger.ts';
import { openCharge, paid, recordNotice } from '../../notices.ts';

function useDisputes(ledger: Ledger) {
  const charge = forEachTest(async () => {
    const { id, attempt } = await openCharge(ledger);
    await recordNotice(ledger, attempt.id, paid(attempt));
    return { id, paymentId: `pay-${attempt.reference}` };
  });
  const dispute = (
    state: ProviderDispute['state'],
    fields: Partial<ProviderDispute> = {},
  ): ProviderDispute => ({
    providerDisputeId: `dispute-of-${charge.paymentId}`,
    ...{ providerPaymentId: charge.paymentId, state, status: state, amountKobo: null },
    ...{ raw: JSON.stringify({ state, ...fields }), ...fields },
  });
  return {
    charge,
    record: (state: ProviderDispute['state'], fields?: Partial<ProviderDispute>) =>
      ledger.tx((tx) => recordDispute(tx, ledger.connections[0]!, dispute(state, fields))),
    rows: () => ledger.rows('select * from disputes where charge_id = $1 order by id', charge.id),
    statusNow: async () => (await ledger.charge(charge.id)).status,
  };
}

describe('A dispute that a provider reports', () => {
  const ledger = useLedger();
  const { charge, record, rows, statusNow } = useDisputes(ledger);

  const events = () => ledger.events(charge.id);
  const lines = async () => (await ledger.timeline(charge.id)).slice(2);

  it('makes the charge disputed when it opens, with one event and its evidence', async () => {
    const respondBy = new Date('2026-12-01T18:00:00Z');
    await record('open', { amountKobo: 200_000, reason: 'Not delivered', respondBy });
    expect(await statusNow()).to.equal('disputed');
    expect(await events()).to.deep.equal(['charge.succeeded', 'charge.disputed']);
    const [row, ...more] = await rows();
    expect(more).to.deep.equal([]);
    expect(row).to.include({
      ...{ status: 'open', amount_kobo: 200_000, entered_by: 'provider', decided_at: null },
    });
    expect(row).to.deep.include({ reason: 'Not delivered', respond_by: respondBy });
    await record('open');
    expect((await rows())[0], 'said once').to.deep.include(row);
    expect(row.id).to.match(/^dsp_/);
    const [opened] = await ledger.rows(
      `select * from timeline_entries where charge_id = $1 and what = 'dispute.opened'`,
      charge.id,
    );
    const detail = `The payer’s bank asks ₦2,000.00 back (${row.id}).`;
    expect(opened).to.include({ detail, amount_kobo: 200_000 });
    expect(opened.evidence_sha256).to.have.length(64);
  });

  it('restores the status of the charge when it is won, and changes nothing when it is recorded again or late', async () => {
    for (const state of ['open', 'won'] as const) {
      await record(state);
      await writingNothing({ context: ledger }, () => record(state));
    }
    await writingNothing({ context: ledger }, () => record('open'));
    expect(await statusNow()).to.equal('succeeded');
    const told = ['dispute.opened', 'charge.disputed', 'dispute.won', 'charge.succeeded'];
    expect(await lines()).to.deep.equal(told);
    expect(await events()).to.deep.equal(['charge.succeeded', 'charge.disputed']);
    const [row] = await rows();
    expect(row).to.include({ status: 'won' });
    expect(row.decided_at).to.be.instanceOf(Date);
    const [closed] = await ledger.rows('select * from events where subject_id = $1', row.id);
    const { number } = await ledger.charge(charge.id);
    const { type, data } = JSON.parse(closed.body);
    expect({ type, data }).to.deep.equal({
      type: 'dispute.closed',
      data: disputeView(row, number),
    });
  });

  it('is one dispute, and refunds the charge in full, when it is recorded as lost twenty times at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => record(n % 2 === 0 ? 'open' : 'lost')));
    expect(await rows()).to.have.length(1);
    expect(await events()).to.deep.equal(['charge.succeeded', 'charge.disputed']);
    expect(await ledger.charge(charge.id)).to.include({
      status: 'refunded',
      refunded_kobo: 500_000,
    });
    expect(await ledger.reviews(charge.id)).to.deep.equal([]);
  });

  for (const [isReversed, status, chargeStatus] of [
    [false, 'won', 'succeeded'],
    [true, 'lost', 'refunded'],
  ] as const)
    it(`is ${status} when its provider archives it while it is open, and stays so`, async () => {
      const archived = (isReversed: boolean) =>
        record('closed', { status: 'archived', isReversed });
      await record('open');
      await archived(isReversed);
      expect(await statusNow()).to.equal(chargeStatus);
      expect((await rows())[0]).to.include({ status });
      for (const later of [false, true])
        await writingNothing({ context: ledger }, () => archived(later));
      expect(await ledger.reviews(charge.id)).to.deep.equal([]);
    });

  it('opens a review and changes no status where its status is unknown', async () => {
    const strange = () => record('unknown', { status: 'under-arbitration' });
    await strange();
    await writingNothing({ context: ledger }, strange);
    const review = ['unknown_status'];
    expect(await ledger.charge(charge.id)).to.deep.include({ status: 'succeeded', review });
    expect((await ledger.reviews(charge.id))[0].detail).to.equal(
      'The provider states dispute status "under-arbitration", which we do not know.',
    );
    expect(await rows()).to.deep.equal([]);
  });

  it('opens a review and leaves the charge alone if it is about a duplicate capture', async () => {
    const [attempt] = await ledger.attempts(charge.id);
    const second = { providerPaymentId: 'second' };
    await recordNotice(ledger, attempt!.id, paid(attempt!, { ...second, amountKobo: 300_000 }));
    await record('open', second);
    await record('lost', second);
    const left = { status: 'succeeded', refunded_kobo: 0, review: ['dispute'] };
    expect(await ledger.charge(charge.id)).to.deep.include(left);
    const [review, ...more] = await ledger.reviews(charge.id);
    expect(more).to.deep.equal([]);
    expect(review).to.include({ reason: 'dispute', amount_kobo: 300_000 });
    expect(review.detail).to.match(
      /^The dispute about ₦3,000.00 of a payment that is not the charge’s own was lost/,
    );
  });

  it('is ignored if its payment is not on record', async () => {
    await writingNothing({ context: ledger }, () =>
      record('open', { providerPaymentId: 'of-another-merchant' }),
    );
  });

  it('leaves the charge disputed while another dispute of the payment is open', async () => {
    const second = { providerDisputeId: `second-${charge.paymentId}` };
    await record('open');
    await record('open', second);
    await record('won');
    expect(await statusNow()).to.equal('disputed');
    await record('won', second);
    expect(await statusNow()).to.equal('succeeded');
  });
});

describe('A dispute that an operator enters', () => {
  const ledger = useLedger();
  const { charge, record, rows, statusNow } = useDisputes(ledger);

  const enter = (
    state: DisputeStatus,
    amountKobo: number | null = null,
    note: string | null = null,
  ) =>
    ledger.tx(async (tx) => {
      const { number: chargeNumber } = await ledger.charge(charge.id);
      return enterDispute(tx, { chargeNumber, state, amountKobo, note, actor: 'operator' });
    });
  const refusal = (work: Promise<unknown>) => work.then(String, ({ message }: Error) => message);
  const audited = () =>
    ledger.rows(
      'select action, actor, detail from audit_entries where subject_id in (select id from disputes where charge_id = $1) order by id',
      charge.id,
    );

  it('opens and is decided, with audit entries of the operator', async () => {
    await enter('open', 100_000, 'By e-mail of 3 March.');
    expect(await statusNow()).to.equal('disputed');
    await enter('won');
    expect(await statusNow()).to.equal('succeeded');
    expect((await rows())[0]).to.include({
      ...{ status: 'won', amount_kobo: 100_000, entered_by: 'operator', provider_dispute_id: null },
    });
    const reference = `SV-${(await ledger.charge(charge.id)).number}`;
    const operator = { actor: 'operator' };
    expect(await audited()).to.deep.equal([
      { ...operator, action: 'dispute.opened', detail: `${reference}: By e-mail of 3 March.` },
      { ...operator, action: 'dispute.won', detail: reference },
    ]);
  });

  it('is refused when another is open, when none is open to win, when it is decided, or when it exceeds the payment', async () => {
    expect(await refusal(enter('won'))).to.equal('No dispute is open that could be won.');
    expect(await refusal(enter('open', 500_001))).to.equal(
      'No more than what was paid can be disputed: ₦5,000.00.',
    );
    await enter('open');
    expect(await refusal(enter('open'))).to.match(/^The payment is disputed already, by dsp_/);
    await enter('lost');
    expect(await refusal(enter('lost'))).to.match(/was lost already/);
    expect(await refusal(enter('won'))).to.match(/was lost already/);
    expect(await refusal(enter('open'))).to.equal('The charge was refunded in full already.');
    expect(await rows()).to.have.length(1);
  });

  it('is refused for a charge that was not paid', async () => {
    charge.id = (await openCharge(ledger)).id;
    expect(await refusal(enter('open'))).to.match(/was not paid/);
  });

  for (const [title, entered, reported] of [
    ['becomes the provider’s dispute once the provider reports it', ['open'], ['open', 'won']],
    ['won by hand, and reported as won by the provider: it is the same', ['open', 'won'], ['won']],
    ['entered a second time is the one reported', ['open', 'won', 'open'], ['open', 'won']],
  ] as const)
    it(title, async () => {
      for (const state of entered) await enter(state);
      for (const state of reported) await record(state);
      const opened = entered.filter((state) => state === 'open');
      expect((await rows()).map(({ status }) => status)).to.deep.equal(opened.map(() => 'won'));
      const { provider_dispute_id } = (await rows()).at(-1)!;
      expect(provider_dispute_id).to.equal(`dispute-of-${charge.paymentId}`);
      expect(await statusNow()).to.equal('succeeded');
    });

  it('won by hand, the provider’s next dispute is one of its own', async () => {
    await enter('open');
    await enter('won');
    await record('open');
    expect((await rows()).map(({ status, entered_by: by }) => `${by} ${status}`)).to.deep.equal([
      'operator won',
      'provider open',
    ]);
    expect(await statusNow()).to.equal('disputed');
    await record('lost');
    expect(await statusNow()).to.equal('refunded');
    const disputed = (await ledger.events(charge.id)).filter((type) => type === 'charge.disputed');
    expect(disputed, 'each is told').to.have.length(2);
  });
});
