import { expect } from 'chai';
import { advanceCharge } from '../../../../domain/payments/facts/advance-charge.ts';
import { recordDispute } from '../../../../domain/payments/facts/record-dispute.ts';
import type { ProviderDispute } from '../../../../domain/providers/port/dispute.ts';
import { writingNothing } from '../../../support/row-counts.ts';
import { useLedger } from '../../ledger.ts';
import { openCharge, paid, recordNotice } from '../../notices.ts';
import { facts } from '../charge/fixture.ts';

describe('A dispute that a provider reports', () => {
  const ledger = useLedger();
  let id: string;
  let paymentId: string;
  beforeEach(async () => {
    const open = await openCharge(ledger);
    id = open.id;
    paymentId = `pay-${open.attempt.reference}`;
    await recordNotice(ledger, open.attempt.id, paid(open.attempt));
  });

  const dispute = (
    state: ProviderDispute['state'],
    fields: Partial<ProviderDispute> = {},
  ): ProviderDispute => ({
    ...{
      providerDisputeId: `dispute-of-${paymentId}`,
      providerPaymentId: paymentId,
      state,
      status: state,
      amountKobo: null,
    },
    ...{ raw: JSON.stringify({ state, ...fields }), ...fields },
  });
  const record = (state: ProviderDispute['state'], fields?: Partial<ProviderDispute>) =>
    ledger.tx((tx) => recordDispute(tx, ledger.connections[0]!, dispute(state, fields)));
  const rows = () => ledger.rows('select * from disputes where charge_id = $1 order by id', id);
  const reviews = () =>
    ledger.rows(
      'select reason, detail, amount_kobo from reviews where charge_id = $1 order by id',
      id,
    );
  const events = async () =>
    (await ledger.rows('select type from events where subject_id = $1 order by id', id)).map(
      ({ type }) => type,
    );
  const lines = async () =>
    (
      await ledger.rows(
        `select what from timeline_entries where charge_id = $1 order by position`,
        id,
      )
    )
      .map(({ what }) => what)
      .slice(2);
  const statusNow = async () => (await ledger.charge(id)).status;

  it('makes the charge disputed when it opens, with one event and its evidence', async () => {
    await record('open', { amountKobo: 200_000 });
    expect(await statusNow()).to.equal('disputed');
    expect(await events()).to.deep.equal(['charge.succeeded', 'charge.disputed']);
    const [row, ...more] = await rows();
    expect(more).to.deep.equal([]);
    expect(row).to.include({
      status: 'open',
      amount_kobo: 200_000,
      entered_by: 'provider',
      decided_at: null,
    });
    expect(row.id).to.match(/^dsp_/);
    const [opened] = await ledger.rows(
      `select * from timeline_entries where charge_id = $1 and what = 'dispute.opened'`,
      id,
    );
    expect(opened).to.include({
      detail: `The payer’s bank asks ₦2,000.00 back (${row.id}).`,
      amount_kobo: 200_000,
    });
    expect(opened.evidence_sha256).to.have.length(64);
  });

  it('restores the status of the charge when it is won, with no second event', async () => {
    await record('open');
    await record('won');
    expect(await statusNow()).to.equal('succeeded');
    expect(await lines()).to.deep.equal([
      'dispute.opened',
      'charge.disputed',
      'dispute.won',
      'charge.succeeded',
    ]);
    expect(await events()).to.deep.equal(['charge.succeeded', 'charge.disputed']);
    expect((await rows())[0]).to.include({ status: 'won' });
    expect((await rows())[0].decided_at).to.be.instanceOf(Date);
  });

  it('makes the charge refunded in full when it is lost', async () => {
    await record('open');
    await record('lost');
    expect(await ledger.charge(id)).to.include({ status: 'refunded', refunded_kobo: 500_000 });
    expect(await reviews()).to.deep.equal([]);
  });

  it('changes nothing when it is recorded again or late', async () => {
    for (const state of ['open', 'won'] as const) {
      await record(state);
      await writingNothing({ context: ledger }, () => record(state));
    }
    await writingNothing({ context: ledger }, () => record('open'));
    expect(await statusNow()).to.equal('succeeded');
  });

  it('is one dispute when it is recorded twenty times at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => record(n % 2 === 0 ? 'open' : 'lost')));
    expect(await rows()).to.have.length(1);
    expect(await events()).to.deep.equal(['charge.succeeded', 'charge.disputed']);
    expect(await statusNow()).to.equal('refunded');
  });

  it('passes through both statuses when it is first recorded as lost', async () => {
    await record('lost');
    expect(await lines()).to.deep.equal([
      'dispute.opened',
      'charge.disputed',
      'dispute.lost',
      'charge.refunded',
    ]);
    expect(await events()).to.deep.equal(['charge.succeeded', 'charge.disputed']);
  });

  for (const [first, then, status] of [
    ['lost', 'won', 'refunded'],
    ['won', 'lost', 'succeeded'],
  ] as const) {
    it(`stays ${first} when it is reported ${then} later, and opens one review`, async () => {
      await record(first);
      await record(then);
      await writingNothing({ context: ledger }, () => record(then));
      expect(await ledger.charge(id)).to.deep.include({ status, review: ['dispute'] });
      const [row] = await rows();
      expect(row.status).to.equal(first);
      const detail = `The provider now reports the dispute as ${then}; it was ${first} before and stays so (${row.id}).`;
      expect(await reviews()).to.deep.equal([{ reason: 'dispute', detail, amount_kobo: 500_000 }]);
      expect((await lines()).at(-1)).to.equal('charge.dispute');
    });
  }

  it('is won when its provider archives it while it is open, and holds up no refund', async () => {
    await record('open');
    await record('closed', { status: 'archived', isReversed: false });
    expect(await statusNow()).to.equal('succeeded');
    expect((await rows())[0]).to.include({ status: 'won' });
    expect(await reviews()).to.deep.equal([]);
  });

  it('is lost when its provider archives it and the payment went back', async () => {
    await record('open');
    await record('closed', { status: 'archived', isReversed: true });
    expect(await statusNow()).to.equal('refunded');
    expect((await rows())[0]).to.include({ status: 'lost' });
  });

  for (const decided of ['won', 'lost'] as const) {
    it(`stays ${decided}, with no review, when it is archived later`, async () => {
      await record(decided);
      for (const isReversed of [false, true])
        await writingNothing({ context: ledger }, () =>
          record('closed', { status: 'archived', isReversed }),
        );
    });
  }

  it('opens a review and changes no status where its status is unknown', async () => {
    await record('unknown', { status: 'under-arbitration' });
    await writingNothing({ context: ledger }, () =>
      record('unknown', { status: 'under-arbitration' }),
    );
    expect(await ledger.charge(id)).to.deep.include({
      status: 'succeeded',
      review: ['unknown_status'],
    });
    expect((await reviews())[0].detail).to.equal(
      'The provider states dispute status "under-arbitration", which we do not know.',
    );
    expect(await rows()).to.deep.equal([]);
  });

  it('opens a review and leaves the charge alone if it is about a duplicate capture', async () => {
    const [attempt] = await ledger.attempts(id);
    await recordNotice(
      ledger,
      attempt!.id,
      paid(attempt!, { providerPaymentId: 'second', amountKobo: 300_000 }),
    );
    await record('open', { providerPaymentId: 'second' });
    await record('lost', { providerPaymentId: 'second' });
    expect(await ledger.charge(id)).to.deep.include({
      status: 'succeeded',
      refunded_kobo: 0,
      review: ['dispute'],
    });
    const [review, ...more] = await reviews();
    expect(more).to.deep.equal([]);
    expect(review).to.include({ reason: 'dispute', amount_kobo: 300_000 });
    expect(review.detail).to.match(
      /^The dispute about ₦3,000.00 of a payment that is not the charge’s own was lost/,
    );
    expect(await lines()).to.include.members(['dispute.opened', 'dispute.lost']);
  });

  it('opens a review if the charge was refunded: its money may go back twice', async () => {
    await ledger.tx((tx) => advanceCharge(tx, id, facts['refunded in full']));
    await record('open');
    expect(await ledger.charge(id)).to.deep.include({ status: 'refunded', review: ['dispute'] });
  });

  it('is ignored if its payment is not on record', async () => {
    await writingNothing({ context: ledger }, () =>
      record('open', { providerPaymentId: 'of-another-merchant' }),
    );
  });

  it('leaves the charge disputed while another dispute of the payment is open', async () => {
    await record('open');
    await record('open', { providerDisputeId: `second-${paymentId}` });
    await record('won');
    expect(await statusNow()).to.equal('disputed');
    await record('won', { providerDisputeId: `second-${paymentId}` });
    expect(await statusNow()).to.equal('succeeded');
  });

  it('makes the charge settled when it is won after its settlement', async () => {
    await ledger.tx((tx) => advanceCharge(tx, id, facts.settled));
    await record('won');
    expect(await statusNow()).to.equal('settled');
  });
});
