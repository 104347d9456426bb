import { expect } from 'chai';
import type { StatedCapture } from '../../../../domain/payments/capture/capture.ts';
import type { ChargeFact } from '../../../../domain/payments/charge/facts.ts';
import { advanceCharge } from '../../../../domain/payments/facts/advance-charge.ts';
import { newId } from '../../../../domain/shared/ids.ts';
import { HOUR } from '../../../support/clock.ts';
import { writingNothing } from '../../../support/row-counts.ts';
import { useLedger } from '../../ledger.ts';
import { openCharge } from '../../notices.ts';
import { captured, facts } from '../charge/fixture.ts';

describe('A fact about a charge, written to the database', () => {
  const ledger = useLedger();

  const advance = (id: string, fact: ChargeFact, evidence?: { sha256: string; payload: string }) =>
    ledger.tx((tx) => advanceCharge(tx, id, fact, evidence));

  async function charged() {
    const { id, attempt } = await openCharge(ledger);
    const payment = (more: Partial<StatedCapture> = {}) =>
      captured({
        ...{ captureId: newId('cap', ledger.clock()), attemptId: attempt.id },
        ...{ attemptReference: attempt.reference, reference: attempt.reference },
        ...{ attemptedAt: attempt.created_at, createdAt: attempt.created_at },
        ...{ connectionId: attempt.connection_id, providerPaymentId: `pay-${attempt.id}` },
        ...more,
      });
    return { id, payment };
  }

  it('makes one capture, one event and one delivery when it is reported forty times at once', async () => {
    const { id, payment } = await charged();
    await Promise.all(Array.from({ length: 40 }, () => advance(id, payment())));
    expect((await ledger.charge(id)).status).to.equal('succeeded');
    expect((await ledger.captures(id)).map(({ status }) => status)).to.deep.equal(['applied']);
    expect(await ledger.events(id)).to.deep.equal(['charge.succeeded']);
    const deliveries = `select 1 from deliveries d join events e on e.id = d.event_id
      where e.subject_id = $1`;
    expect(await ledger.rows(deliveries, id)).to.have.length(1);
    expect(await ledger.timeline(id)).to.deep.equal(['charge.pending', 'charge.succeeded']);
  });

  it('makes one of two simultaneous payments applied and the other a duplicate', async () => {
    const { id, payment } = await charged();
    const payments = ['first', 'second'].map((providerPaymentId) => payment({ providerPaymentId }));
    await Promise.all(
      Array.from({ length: 20 }, () => payments.map((fact) => advance(id, fact))).flat(),
    );
    const [applied, duplicate, ...more] = (await ledger.captures(id)).sort((one, other) =>
      one.status < other.status ? -1 : 1,
    );
    expect([applied.status, duplicate.status, more]).to.deep.equal(['applied', 'duplicate', []]);
    expect(await ledger.events(id)).to.have.length(1);
    expect(await ledger.charge(id)).to.deep.include({
      ...{ status: 'succeeded', review: [], amount_kobo: 500_000, refunded_kobo: 0 },
      provider_reference: applied.provider_payment_id,
    });
    const refunds =
      'select capture_id, amount_kobo, status, origin from refunds where charge_id = $1';
    expect(await ledger.rows(refunds, id), 'what goes back').to.deep.equal([
      { capture_id: duplicate.id, amount_kobo: 500_000, status: 'approved', origin: 'system' },
    ]);
  });

  it('writes nothing when it is reported again, whatever its type', async () => {
    const { id, payment } = await charged();
    const { settled, 'refunded in part': part } = facts;
    const inOrder = [payment(), settled, part, facts['dispute opened'], facts['dispute lost']];
    for (const fact of inOrder) {
      await advance(id, fact);
      const before = await ledger.charge(id);
      await writingNothing({ context: ledger }, () => advance(id, fact));
      expect(await ledger.charge(id), fact.type).to.deep.equal(before);
    }
    expect((await ledger.charge(id)).status).to.equal('refunded');
  });

  it('opens one review and pays nothing when the payment belongs to another charge', async () => {
    const [first, second] = [await charged(), await charged()];
    await advance(first.id, first.payment());
    const claim = second.payment({ providerPaymentId: first.payment().providerPaymentId });
    await advance(second.id, claim);
    await writingNothing({ context: ledger }, () => advance(second.id, claim));
    expect(await ledger.charge(second.id)).to.deep.include({
      status: 'pending',
      review: ['capture_mismatch'],
    });
    expect(await ledger.charge(first.id)).to.deep.include({ status: 'succeeded', review: [] });
    expect(await ledger.captures(second.id)).to.deep.equal([]);
  });

  it('appears in the timeline with the hash of its sealed evidence', async () => {
    const { id, payment } = await charged();
    const evidence = { sha256: 'a'.repeat(64), payload: '{"card":"408408"}' };
    await advance(id, payment({ amountKobo: 600_000 }), evidence);
    const lines = await ledger.rows(
      `select what from timeline_entries where charge_id = $1 and evidence_sha256 = $2
       order by position`,
      ...[id, evidence.sha256],
    );
    expect(lines).to.deep.equal([{ what: 'charge.overpaid' }, { what: 'charge.succeeded' }]);
    const [stored, ...more] = await ledger.rows('select * from evidence where charge_id = $1', id);
    expect(more).to.deep.equal([]);
    expect(stored.payload).not.to.include('408408');
    const { tenant_id: tenant, mode } = await ledger.charge(id);
    expect(
      ledger.vault.open(stored.payload, { table: 'evidence', row: id, tenant, mode }),
    ).to.equal(evidence.payload);
  });

  it('schedules a check in an hour for every sent attempt when the charge fails', async () => {
    const { id } = await openCharge(ledger);
    await advance(id, facts.cancelled);
    const { failed_at: failedAt } = await ledger.charge(id);
    const dueAt = new Date(failedAt!.getTime() + HOUR);
    expect((await ledger.attempts(id))[0]!.due_at).to.deep.equal(dueAt);
  });

  it('is rolled back with its transaction', async () => {
    const { id, payment } = await charged();
    const die = async () => {
      throw new Error('the process died');
    };
    const broken = () => ledger.tx((tx) => advanceCharge(tx, id, payment()).then(die));
    const outcome = await writingNothing({ context: ledger }, () =>
      broken().catch((error: Error) => error.message),
    );
    expect(outcome).to.equal('the process died');
    expect((await ledger.charge(id)).status).to.equal('pending');
  });
});
