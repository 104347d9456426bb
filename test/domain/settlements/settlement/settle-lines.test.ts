import { expect } from 'chai';
import { settleLines } from '../../../../domain/settlements/settlement/settle-lines.ts';
import { whileHeld } from '../../../support/contention.ts';
import { lineOf } from './fixture.ts';
import { paidOut, withSettlementFixture } from './with-fixture.ts';

describe('Lines that pay out what is on record', () => {
  const { ledger, fixture, passDays } = withSettlementFixture();

  const linesOf = () =>
    ledger.rows(
      `select l.needs_rematch, k.settlement_id = l.settlement_id as is_held, c.status,
         c.settlement_id = l.settlement_id as is_settled, c.fee_kobo,
         (select count(*) from timeline_entries t
          where t.charge_id = c.id and what = 'charge.settled') as entries
       from settlement_lines l join captures k on k.id = l.capture_id
       join charges c on c.id = l.charge_id order by c.number`,
    );
  const settled = {
    ...{ needs_rematch: false, is_held: true, status: 'settled', is_settled: true },
    ...{ fee_kobo: 17_500, entries: 1 },
  };

  it('settle their charges, beside lines that do not', async () => {
    const plain = [await fixture.pay(), await fixture.pay()];
    const otherFee = await fixture.pay();
    const unstatedFee = await fixture.pay({ feeKobo: null });
    passDays(1);
    fixture.payOut([
      ...plain,
      lineOf(otherFee, { feeKobo: 20_000 }),
      lineOf(unstatedFee, { feeKobo: 17_600 }),
    ]);
    await fixture.reconcile();
    expect(await linesOf()).to.deep.equal([
      settled,
      settled,
      { ...settled, fee_kobo: 20_000 },
      { ...settled, fee_kobo: 17_600 },
    ]);
  });

  it('are told from lines whose payment another settlement holds', async () => {
    const [held, free] = [await fixture.pay(), await fixture.pay()];
    passDays(1);
    fixture.payOut([await fixture.pay()]);
    await fixture.reconcile();
    await ledger.rows(
      `update captures set settlement_id = 'stl_other' where charge_id = $1`,
      held.chargeId,
    );
    const lines = [lineOf(held), lineOf(free)];
    const [settlement] = await paidOut(fixture);
    const others = await ledger.inTx((tx) =>
      settleLines(tx, fixture.context.account, settlement, lines),
    );
    expect(others).to.deep.equal([lines[0]]);
  });

  it('are matched one by one where another settlement takes a payment at that moment', async () => {
    const [taken, kept] = [await fixture.pay(), await fixture.pay()];
    passDays(1);
    await fixture.reconcile(); // computes the days on which they settle
    fixture.payOut([taken, kept]);
    await whileHeld(
      { context: ledger },
      async (sql) => {
        await sql.query('select 1 from charges where id = $1 for update', [taken.chargeId]);
        await sql.query(`update captures set settlement_id = 'stl_other' where charge_id = $1`, [
          taken.chargeId,
        ]);
      },
      () => [fixture.reconcile()],
    );
    expect(await linesOf()).to.deep.equal([
      { ...settled, needs_rematch: true, is_held: false },
      settled,
    ]);
    expect((await paidOut(fixture))[0]).to.include({ transaction_count: 1 });
  });

  it('are matched one by one where PostgreSQL ends their statement for a deadlock', async () => {
    const payments = [await fixture.pay(), await fixture.pay()];
    passDays(1);
    fixture.payOut(payments);
    const { inTx } = fixture.context;
    let deadlocks = 0;
    fixture.context.inTx = (work) =>
      inTx((tx) => {
        const query: typeof tx.sql.query = (text, values) => {
          if (!text.includes('as line (n,')) return tx.sql.query(text, values);
          deadlocks += 1;
          throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
        };
        return work({ ...tx, sql: { ...tx.sql, query } });
      });
    await fixture.reconcile();
    expect(deadlocks).to.be.above(0);
    expect(await linesOf()).to.deep.equal([settled, settled]);
  });
});
