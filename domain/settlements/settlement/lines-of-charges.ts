import type { Reader } from '../../shared/reader.ts';
import { type Sql, statement } from '../../shared/sql.ts';

/** What a settlement pays out for a charge, in kobo. */
export interface SettledLine {
  charge_id: string;
  gross_kobo: number;
  fee_kobo: number;
}

/** Starts at the payments, so that no other line is read, however many a settlement has. */
const select = statement<SettledLine>(`
  select k.charge_id, sum(l.amount_kobo)::bigint as gross_kobo,
    sum(coalesce(l.fee_kobo, k.fee_kobo, 0))::bigint as fee_kobo
  from charges c join captures k on k.charge_id = c.id
    join settlement_lines l
      on l.settlement_id = :settlementId and l.provider_payment_id = k.provider_payment_id
  where c.tenant_id = :tenantId and c.mode = :mode and c.id = any(:chargeIds)
    and l.capture_id = k.id
  group by k.charge_id`);

/**
 * As the provider states it, by charge; a fee that no line states is that of its payment. A charge
 * without a line is not in it.
 */
export async function linesOfCharges(
  sql: Sql,
  { tenantId, mode }: Reader,
  settlementId: string,
  chargeIds: readonly string[],
): Promise<Map<string, SettledLine>> {
  const lines = await select(sql, { tenantId, mode, settlementId, chargeIds });
  return new Map(lines.map((line) => [line.charge_id, line]));
}
