import { expect } from 'chai';
import { enterDispute } from '../../../domain/payments/commands/enter-dispute.ts';
import { advanceCharges } from '../../../domain/payments/facts/advance-charges.ts';
import { foldFigures } from '../../../domain/payments/figures/store.ts';
import { whileHeld, withoutWaiting } from '../../support/contention.ts';
import { useLedgerForEach } from '../ledger.ts';
import { openRefundFixture } from './refund-fixture.ts';

describe('A charge that two workers have', () => {
  const ledger = useLedgerForEach();

  const lock = 'select from charges where id = $1 for update';

  it('stays refunded, where it is settled at the moment of the refund', async () => {
    const { chargeId, ...fixture } = await openRefundFixture(ledger);
    await fixture.pay(500_000);
    const settledAt = ledger.clock();
    const fact = { type: 'settled', settlementId: 'stl', settledAt, feeKobo: null } as const;
    await whileHeld(
      { context: ledger },
      (sql) => sql.query(`update charges set status = 'refunded' where id = $1`, [chargeId]),
      () => [ledger.tx((tx) => advanceCharges(tx, [{ chargeId, fact }]))],
    );
    expect(await ledger.charge(chargeId)).to.include({ status: 'refunded', settlement_id: 'stl' });
  });

  it('is counted once in the figures of its day, which two processes add up at one moment', async () => {
    await (await openRefundFixture(ledger)).pay(500_000);
    await ledger.tx(async ({ sql }) => {
      expect(await foldFigures(sql)).to.be.greaterThan(0);
      expect(await withoutWaiting({ context: ledger }, foldFigures)).to.equal(0);
    });
    const [figures] = await ledger.rows('select sum(collected_kobo)::int from daily_figures');
    expect(figures).to.deep.equal({ sum: 500_000 });
  });

  it('is disputed once, where two operators enter the dispute at one moment', async () => {
    const { chargeId, pay } = await openRefundFixture(ledger);
    await pay(500_000);
    const { number: chargeNumber } = await ledger.charge(chargeId);
    const dispute = {
      chargeNumber,
      state: 'open',
      amountKobo: null,
      note: null,
      actor: 'operator',
    } as const;
    const enter = () =>
      ledger.tx((tx) => enterDispute(tx, dispute)).catch(({ message }: Error) => message);
    const outcomes = await whileHeld(
      { context: ledger },
      (sql) => sql.query(lock, [chargeId]),
      () => [enter(), enter()],
    );
    const refusals = outcomes.filter((outcome) => typeof outcome === 'string');
    expect(refusals).to.have.length(1);
    expect(refusals[0]).to.include('is disputed already');
  });
});
