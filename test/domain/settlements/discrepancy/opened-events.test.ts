import { expect } from 'chai';
import { findDiscrepancy } from '../../../../domain/settlements/discrepancy/find.ts';
import {
  type Comparison,
  recordDifferences,
} from '../../../../domain/settlements/discrepancy/record-differences.ts';
import { discrepancyView } from '../../../../domain/settlements/discrepancy/row.ts';
import { defaultEventTypes } from '../../../../domain/webhooks/event/publish.ts';
import { lineOf } from '../settlement/fixture.ts';
import { withSettlementFixture } from '../settlement/with-fixture.ts';

describe('A discrepancy that opens', () => {
  const { ledger, fixture, paid, reconciled } = withSettlementFixture();

  const subscribe = (...types: string[]) =>
    ledger.rows('update webhook_endpoints set event_types = $1', [...defaultEventTypes, ...types]);
  const published = () =>
    ledger.rows<{ subject_id: string; body: string; deliveries: number }>(
      `select subject_id, body, (select count(*)::int from deliveries where event_id = e.id)
         as deliveries
       from events e where type = 'discrepancy.opened' order by id`,
    );

  it('sends one event that shows it with its line; another when it comes back', async () => {
    await subscribe('discrepancy.opened');
    const [payment] = await paid({});
    const payout = fixture.payOut([lineOf(payment, { feeKobo: 20_000 })]);
    await reconciled(['fee_mismatch', 2_500]);
    const [{ tenant_id: tenantId, mode, id }] = (await fixture.discrepancies()) as [any];
    const shown = discrepancyView(await findDiscrepancy(ledger.db, { tenantId, mode }, id));
    expect(shown.line).to.include({ fee_kobo: 20_000 });
    const [event, ...more] = await published();
    expect(more).to.deep.equal([]);
    expect(event).to.include({ subject_id: id, deliveries: 1 });
    expect(JSON.parse(event!.body).data).to.deep.equal(shown);
    const states = async (feeKobo: number, ...open: [string, number][]) => {
      payout.lines = [lineOf(payment, { feeKobo })];
      payout.amountKobo = 500_000 - feeKobo;
      await reconciled(...open);
    };
    await states(21_000, ['fee_mismatch', 3_500]);
    await states(17_500);
    expect(await published(), 'a change is no other one').to.have.length(1);
    await states(20_000, ['fee_mismatch', 2_500]);
    expect(await published()).to.have.length(2);
  });

  it('costs as many statements with others as alone, and no delivery where no endpoint asks', async () => {
    const differing = (count: number): Comparison => ({
      differences: `
        select 'never_notified' as kind, $2 || '-' || n as subject, null as settlement_id,
          null as line_id, null as charge_id, $2 || '-' || n as reference, 100::bigint as amount_kobo,
          100::bigint as difference_kobo, '2026-01-05' as day, null::bigint as ours_kobo,
          100::bigint as theirs_kobo, null as other
        from generate_series(1, $3::int) n`,
      ...{ scope: `d.subject like $2 || '-%'`, values: [String(count), count] },
    });
    const statementsOf = async (count: number) => {
      let statements = 0;
      await ledger.inTx((tx) => {
        const query: typeof tx.sql.query = (...asked) => {
          statements++;
          return tx.sql.query(...asked);
        };
        const { account } = fixture.context;
        return recordDifferences({ ...tx, sql: { query } }, account, differing(count));
      });
      return statements;
    };
    expect(await statementsOf(500)).to.equal(await statementsOf(1));
    const events = await published();
    expect(events).to.have.length(501);
    for (const { deliveries } of events) expect(deliveries).to.equal(0);
  });
});
