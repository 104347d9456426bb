import { expect } from 'chai';
import { lockCharge } from '../../../../domain/payments/charge/store.ts';
import { computeTotals } from '../../../../domain/settlements/settlement/compute-totals.ts';
import { settleLines } from '../../../../domain/settlements/settlement/settle-lines.ts';
import { newId } from '../../../../domain/shared/ids.ts';
import { whileHeld } from '../../../support/contention.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { until } from '../../../support/until.ts';
import { type Ledger, useLedgerForEach } from '../../ledger.ts';
import { absent, paid, recordNotice, send } from '../../notices.ts';
import { lineOf, openSettlementFixture, type SettlementFixture } from './fixture.ts';
import { openDiscrepancies, paidOut, withSettlementFixture } from './with-fixture.ts';

describe('Lines that pay out what is on record', () => {
  const { ledger, fixture, passDays, hasPaidOut } = withSettlementFixture();

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
    await hasPaidOut({ transaction_count: 1 });
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

  it('take a fee over once their charge is free, whose payment nobody waits for until then', async () => {
    const payment = await fixture.pay({ feeKobo: null });
    passDays(1);
    fixture.payOut([lineOf(payment, { feeKobo: 17_500 })]);
    let reconciled: Promise<unknown> | undefined;
    await ledger.inTx(async (tx) => {
      await lockCharge(tx, payment.chargeId);
      reconciled = fixture.reconcile();
      await until('a payout that waits', async () => {
        const waiting = `select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return (await ledger.rows(waiting)).length > 0;
      });
      await tx.sql.query('select from captures for update nowait');
    });
    await reconciled;
    expect(await linesOf()).to.deep.equal([settled]);
  });
});

describe('A line of a payment through another connection', () => {
  const ledger = useLedgerForEach(['provider_a', 'provider_b']);
  const fixture = forEachTest(() => openSettlementFixture(ledger));

  const chargeElsewhere = async (providerPaymentId?: string) => {
    const { id } = await ledger.newCharge({ provider: 'provider_b' });
    const [attempt] = await ledger.attempts(id);
    await send(ledger, attempt!.id);
    const fact = providerPaymentId ? paid(attempt!, { providerPaymentId }) : absent;
    await recordNotice(ledger, attempt!.id, fact);
    return { id, reference: attempt!.reference };
  };
  const line = { amountKobo: 500_000, feeKobo: 17_500 };
  const linesOnRecord = () =>
    ledger.rows(
      `select provider_payment_id, is_foreign, charge_id, capture_id is not null as is_matched
       from settlement_lines order by provider_payment_id`,
    );

  it('is foreign, names no charge and settles none, paid or not', async () => {
    const [paidThere, unpaid] = [await chargeElsewhere('payment-1'), await chargeElsewhere()];
    await ledger.rows('update attempts set due_at = null');
    fixture.payOut([
      { ...line, providerPaymentId: 'payment-1', reference: paidThere.reference },
      { ...line, providerPaymentId: 'payment-2', reference: unpaid.reference },
    ]);
    await fixture.reconcile();
    const foreign = { is_foreign: true, charge_id: null, is_matched: false };
    expect(await linesOnRecord()).to.deep.equal([
      { provider_payment_id: 'payment-1', ...foreign },
      { provider_payment_id: 'payment-2', ...foreign },
    ]);
    expect(await ledger.charge(paidThere.id)).to.include({ status: 'succeeded', settled_at: null });
    expect(await ledger.charge(unpaid.id)).to.include({ settled_at: null });
    expect((await paidOut(fixture))[0]).to.include({ foreign_count: 2, transaction_count: 0 });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect(await ledger.rows('select id from attempts where due_at is not null')).to.deep.equal([]);
  });

  it('with the same payment id settles its own connection’s charge, and not the other one', async () => {
    const elsewhere = await chargeElsewhere('payment-1');
    const own = await fixture.pay({ providerPaymentId: 'payment-1' });
    const differing = await fixture.pay({ providerPaymentId: 'payment-2' });
    const otherOfTwo = await chargeElsewhere('payment-2');
    fixture.payOut([own, { ...line, ...differing.capture, amountKobo: 400_000 }]);
    await fixture.reconcile();
    expect(await linesOnRecord()).to.deep.equal(
      [own, differing].map(({ chargeId, capture }) => ({
        provider_payment_id: capture.providerPaymentId,
        ...{ is_foreign: false, charge_id: chargeId, is_matched: true },
      })),
    );
    for (const { chargeId } of [own, differing])
      expect(await ledger.charge(chargeId)).to.include({ status: 'settled' });
    for (const { id } of [elsewhere, otherOfTwo])
      expect(await ledger.charge(id)).to.include({ status: 'succeeded', settled_at: null });
  });
});

const LINES = 10_001;
/** Five times as long as it takes. To compare each difference with each one takes much longer. */
const MAX_STATEMENT_MS = 6_000;

describe('A settlement of which every line differs', () => {
  const { ledger, fixture } = withSettlementFixture();

  it('has its discrepancies recorded in a time that grows only with its lines', async () => {
    const settlementId = await addUnknownLines(ledger, fixture);
    const compute = () =>
      ledger.tx(async (tx) => {
        const timeout = `${MAX_STATEMENT_MS}ms`;
        await tx.sql.query("select set_config('statement_timeout', $1, true)", [timeout]);
        return computeTotals(tx, fixture.context.account, settlementId);
      });
    await compute();
    const found = await fixture.discrepancies();
    expect(found).to.have.length(LINES);
    await compute();
    expect(await fixture.discrepancies()).to.deep.equal(found);
  });
});

async function addUnknownLines(ledger: Ledger, fixture: SettlementFixture): Promise<string> {
  const { id: connectionId } = fixture.context.account;
  const id = newId('stl', ledger.clock());
  await ledger.rows(
    `insert into settlements (id, tenant_id, mode, connection_id, slot, provider_settlement_id,
       status, step, stated_state, expected_amount_kobo, statement_version, created_at, landed_at)
     select $1, tenant_id, mode, id, slot, 'payout-1', 'landed', 'compute_totals', 'landed', 0, 1,
       $2, $2 from connections where id = $3`,
    ...[id, ledger.clock(), connectionId],
  );
  await ledger.rows(
    `insert into settlement_lines (id, settlement_id, connection_id, provider_payment_id, reference,
       amount_kobo, fee_kobo, statement_version, is_foreign, needs_rematch)
     select 'sln_' || lpad(n::text, 26, '0'), $1, $2, 'pay-' || n, 'SV-' || n || '-aaaaaaaa',
       500000, 17500, 1, false, true from generate_series(1, $3::integer) n`,
    ...[id, connectionId, LINES],
  );
  await ledger.rows('analyze settlement_lines');
  return id;
}
