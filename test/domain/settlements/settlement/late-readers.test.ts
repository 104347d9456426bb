import { expect } from 'chai';
import { recordLines } from '../../../../domain/settlements/settlement/match-lines.ts';
import { reconcile } from '../../../../domain/settlements/settlement/reconcile.ts';
import { recordStatement } from '../../../../domain/settlements/settlement/record-statement.ts';
import { txOf } from '../../../../domain/shared/tx.ts';
import { DAY } from '../../../support/clock.ts';
import { whileHeld } from '../../../support/contention.ts';
import { lineOf } from './fixture.ts';
import { openDiscrepancies, paidOut, withSettlementFixture } from './with-fixture.ts';

describe('A settlement that two workers read', () => {
  const { ledger, fixture, passDays } = withSettlementFixture();

  const run = (hasTime: () => boolean) => {
    const now = ledger.clock().getTime();
    const span = { from: new Date(now - 14 * DAY), to: new Date(now + 7 * DAY) };
    return reconcile({ ...fixture.context, hasTime }, span);
  };
  const stallWhile = async (meanwhile: () => Promise<unknown>) => {
    let isLate = false;
    fixture.onAnswer = async (call) => {
      if (call !== 'listLines') return;
      fixture.onAnswer = () => undefined;
      await meanwhile();
      isLate = true;
    };
    await run(() => !isLate);
  };
  const payments = async (count: number) => {
    fixture.linesPerPage = 1;
    const paid = [];
    while (paid.length < count) paid.push(await fixture.pay());
    passDays(1);
    return paid;
  };
  const settlement = async () => (await paidOut(fixture))[0]!;

  it('stays reconciled where the second did all of it, and the first records its page late', async () => {
    fixture.payOut(await payments(2));
    await stallWhile(() => fixture.reconcile());
    expect(await settlement()).to.include({ step: 'reconciled', lines_cursor: null });
  });

  it('is read on from where the second came, and not from the page of the first', async () => {
    fixture.payOut(await payments(3));
    await stallWhile(() => {
      let left = 2;
      return run(() => left-- > 0);
    });
    expect(await settlement()).to.include({ step: 'read_lines', lines_cursor: '2' });
  });

  it('is read from its first page where it changed, and the first records its page late', async () => {
    const payout = fixture.payOut(await payments(2));
    payout.amountKobo! -= 1_000;
    await stallWhile(() => {
      payout.amountKobo! += 1_000;
      return run(() => false);
    });
    expect(await settlement()).to.include({ step: 'read_lines', lines_cursor: null });
    await fixture.reconcile();
    expect(await settlement()).to.include({ status: 'landed', transaction_count: 2 });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
  });

  it('settles nothing that it does not hold any more, where the first records its page late', async () => {
    const [dropped, kept] = await payments(2);
    const unknown = await fixture.pay({ isRecorded: false });
    fixture.linesPerPage = 3;
    const payout = fixture.payOut([dropped!, lineOf(unknown), kept!]);
    await stallWhile(() => {
      payout.lines.splice(0, 2);
      payout.amountKobo = 482_500;
      return run(() => false);
    });
    await fixture.reconcile();
    expect((await fixture.charge(dropped!)).status).to.equal('succeeded');
    expect((await fixture.charge(kept!)).status).to.equal('settled');
    expect(await ledger.rows('select 1 from settlement_lines')).to.have.length(1);
  });

  it('takes no line of an older statement, which the first matches late', async () => {
    fixture.payOut(await payments(1));
    await fixture.reconcile();
    const unknown = await fixture.pay({ isRecorded: false });
    const { id, landed_at, statement_version } = await settlement();
    const older = { id, landed_at, statement_version: statement_version - 1 };
    const { account } = fixture.context;
    await ledger.tx((tx) => recordLines(tx, account, older, [lineOf(unknown)]));
    expect(await ledger.rows('select 1 from settlement_lines')).to.have.length(1);
  });

  it('keeps the step that the first wrote at the moment the second records the same statement', async () => {
    const payout = fixture.payOut(await payments(1));
    await run(() => false);
    const { account } = fixture.context;
    await whileHeld(
      { context: ledger },
      (sql) =>
        sql.query(`update settlements set step = 'compute_totals' where step = 'read_lines'`),
      () => [
        ledger.db.transaction((session) =>
          recordStatement(txOf(session as never, ledger.vault, ledger.clock()), account, payout),
        ),
      ],
    );
    expect(await settlement()).to.include({ step: 'compute_totals' });
  });
});
