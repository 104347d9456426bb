import { SETTLE_AS_RECORDED, settledValues } from '../../payments/facts/settle-as-recorded.ts';
import type { SettlementLine } from '../../providers/port/settlement.ts';
import { newIds } from '../../shared/ids.ts';
import { plainArray, statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SettlementAccount } from '../account/account.ts';
import type { LandedSettlement } from './match-lines.ts';

export class AssignedElsewhere extends Error {}

/**
 * Settles the lines that pay out what is on record; returns the others. Throws where another
 * settlement took a payment: nothing may be committed then. An older statement's are not recorded.
 */
export async function settleLines(
  { sql, now }: Tx,
  account: SettlementAccount,
  { id: settlementId, landed_at: landedAt, statement_version: version }: LandedSettlement,
  lines: readonly SettlementLine[],
): Promise<SettlementLine[]> {
  const settled = settledValues({ settlementId, settledAt: landedAt ?? now });
  if (!settled) return [...lines];
  const column = <Value>(read: (line: SettlementLine) => Value) => lines.map(read);
  const [result] = await settle(sql, {
    ...settled,
    connectionId: account.id,
    version,
    now,
    positions: plainArray(lines.map((_, n) => n)),
    lineIds: plainArray(newIds('sln', now, lines.length)),
    entryIds: plainArray(newIds('tle', now, lines.length)),
    paymentIds: column((line) => line.providerPaymentId),
    references: column((line) => line.reference),
    amounts: plainArray(column((line) => line.amountKobo)),
    fees: plainArray(column((line) => line.feeKobo)),
  });
  if (!result!.is_whole) throw new AssignedElsewhere(`Settlement ${settlementId} lost a payment.`);
  return result!.others.map((n) => lines[n]!);
}

const settle = statement<{ others: number[]; is_whole: boolean }>(`
  with line as materialized (
    select * from unnest(:positions::integer[], :lineIds::text[], :entryIds::text[],
      :paymentIds::text[], :references::text[], :amounts::bigint[], :fees::bigint[])
      as line (n, id, entry_id, provider_payment_id, reference, amount_kobo, fee_kobo)
    where exists (
      select from settlements where id = :settlementId and statement_version = :version)
  ), ${SETTLE_AS_RECORDED}, recorded as (
    insert into settlement_lines (id, settlement_id, connection_id, provider_payment_id, reference,
      amount_kobo, fee_kobo, statement_version, is_foreign, needs_rematch, charge_id, capture_id)
    select id, :settlementId, :connectionId, provider_payment_id, reference, amount_kobo, fee_kobo,
      :version::integer, false, false, charge_id, capture_id
    from settled
    on conflict (settlement_id, provider_payment_id) do update set
      amount_kobo = excluded.amount_kobo, fee_kobo = excluded.fee_kobo, unclear = null,
      reference = excluded.reference, statement_version = excluded.statement_version,
      is_foreign = excluded.is_foreign, needs_rematch = excluded.needs_rematch,
      charge_id = excluded.charge_id, capture_id = excluded.capture_id
  )
  select array(select n from line where n not in (select n from settled)) as others,
    (select count(*) from settled) = (select count(*) from changed) as is_whole`);
