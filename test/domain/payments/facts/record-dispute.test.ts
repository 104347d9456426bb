import { expect } from 'chai';
import { advanceCharge } from '../../../../domain/payments/facts/advance-charge.ts';
import { writingNothing } from '../../../support/row-counts.ts';
import { useLedger } from '../../ledger.ts';
import { paid, recordNotice } from '../../notices.ts';
import { facts } from '../charge/fixture.ts';
import { useDisputes } from '../dispute-fixture.ts';

describe('A dispute that a provider reports', () => {
  const ledger = useLedger();
  const { charge, record, rows, statusNow } = useDisputes(ledger);

  const events = () => ledger.events(charge.id);
  const lines = async () => (await ledger.timeline(charge.id)).slice(2);

  it('makes the charge disputed when it opens, with one event and its evidence', async () => {
    await record('open', { amountKobo: 200_000 });
    expect(await statusNow()).to.equal('disputed');
    expect(await events()).to.deep.equal(['charge.succeeded', 'charge.disputed']);
    const [row, ...more] = await rows();
    expect(more).to.deep.equal([]);
    expect(row).to.include({
      ...{ status: 'open', amount_kobo: 200_000, entered_by: 'provider', decided_at: null },
    });
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
    expect((await rows())[0]).to.include({ status: 'won' });
    expect((await rows())[0].decided_at).to.be.instanceOf(Date);
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

  for (const [first, then, status] of [
    ['lost', 'won', 'refunded'],
    ['won', 'lost', 'succeeded'],
  ] as const)
    it(`stays ${first} when it is reported ${then} later, and opens one review`, async () => {
      await record(first);
      await record(then);
      await writingNothing({ context: ledger }, () => record(then));
      expect(await ledger.charge(charge.id)).to.deep.include({ status, review: ['dispute'] });
      const [row] = await rows();
      expect(row.status).to.equal(first);
      const detail = `The provider now reports the dispute as ${then}; it was ${first} before and stays so (${row.id}).`;
      const [review, ...more] = await ledger.reviews(charge.id);
      expect(more).to.deep.equal([]);
      expect(review).to.include({ reason: 'dispute', detail, amount_kobo: 500_000 });
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

  it('opens a review if the charge was refunded: its money may go back twice', async () => {
    await ledger.tx((tx) => advanceCharge(tx, charge.id, facts['refunded in full']));
    await record('open');
    expect(await ledger.charge(charge.id)).to.deep.include({
      status: 'refunded',
      review: ['dispute'],
    });
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
