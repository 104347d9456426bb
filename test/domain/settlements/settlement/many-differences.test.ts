import { expect } from 'chai';
import { computeTotals } from '../../../../domain/settlements/settlement/compute-totals.ts';
import { newId } from '../../../../domain/shared/ids.ts';
import type { Ledger } from '../../ledger.ts';
import type { SettlementFixture } from './fixture.ts';
import { withSettlementFixture } from './with-fixture.ts';

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
