import type { ProviderSettlement } from '../../providers/payouts.ts';
import { newId } from '../../shared/ids.ts';
import { lagosDay } from '../../shared/lagos.ts';
import type { Tx } from '../../shared/tx.ts';
import { type SettlementAccount, takeTurn } from './account.ts';

/**
 * Records what a provider states of a payout. The one we thought was coming that day becomes it, so that it keeps its id; one that is
 * still on its way is nothing more than our own forecast, and is not written where there is none. What a later statement leaves out stands
 * as it was, and what it changes is weighed anew. What landed has landed, unless it is said to have failed.
 */
export async function recordStatement(
  tx: Tx,
  account: SettlementAccount,
  stated: ProviderSettlement,
): Promise<void> {
  await takeTurn(tx, account);
  const isOver = stated.state === 'landed' || stated.state === 'failed';
  const day =
    stated.dueOn ?? (stated.landedAt || isOver ? lagosDay(stated.landedAt ?? tx.now) : null);
  if (!(await isKnown(tx, account, stated)) && !(await adoptForecast(tx, account, stated, day))) {
    if (!isOver) return;
    await insert(tx, account, stated, day);
  }
  await tx.sql.query(UPDATE, [
    account.id,
    stated.providerSettlementId,
    stated.state,
    stated.amountKobo,
    stated.deductionsKobo,
    stated.landedAt,
    stated.bank?.name ?? null,
    stated.bank?.accountLast4 ?? null,
    isOver,
    day,
  ]);
}

async function isKnown(
  { sql }: Tx,
  { id }: SettlementAccount,
  { providerSettlementId }: ProviderSettlement,
): Promise<boolean> {
  const known = await sql.query(
    'select 1 from settlements where connection_id = $1 and provider_settlement_id = $2',
    [id, providerSettlementId],
  );
  return known.length > 0;
}

async function adoptForecast(
  { sql }: Tx,
  { id }: SettlementAccount,
  { providerSettlementId }: ProviderSettlement,
  day: string | null,
): Promise<boolean> {
  const adopted = await sql.query(
    `update settlements set provider_settlement_id = $3
     where connection_id = $1 and expected_date = $2 and is_forecast and provider_settlement_id is null returning 1`,
    [id, day, providerSettlementId],
  );
  return adopted.length > 0;
}

function insert(
  { sql, now }: Tx,
  account: SettlementAccount,
  { providerSettlementId }: ProviderSettlement,
  day: string | null,
) {
  return sql.query(
    `insert into settlements (id, tenant_id, mode, connection_id, slot, provider_settlement_id, status, expected_date, expected_amount_kobo,
       created_at)
     values ($1, $2, $3, $4, $5, $6, 'expected', $7, 0, $8) on conflict (connection_id, provider_settlement_id) do nothing`,
    [
      newId('stl', now),
      account.tenant_id,
      account.mode,
      account.id,
      account.slot,
      providerSettlementId,
      day,
      now,
    ],
  );
}

const STATE = `case when stated_state = 'landed' and $3 <> 'failed' then stated_state else $3 end`;

const CHANGED = `stated_state is distinct from ${STATE} or stated_amount_kobo is distinct from coalesce($4, stated_amount_kobo)
  or stated_deductions_kobo is distinct from coalesce($5, stated_deductions_kobo)`;

/** Whatever changes, its lines may have too. */
const UPDATE = `
  update settlements set stated_state = ${STATE}, stated_amount_kobo = coalesce($4, stated_amount_kobo),
    stated_deductions_kobo = coalesce($5, stated_deductions_kobo), landed_at = case when $3 = 'failed' then landed_at else coalesce(landed_at, $6) end, bank_name = coalesce($7, bank_name),
    bank_account_last4 = coalesce($8, bank_account_last4), is_forecast = is_forecast and not $9, expected_date = coalesce(expected_date, $10),
    reading = case when ${CHANGED} then reading + 1 else reading end,
    lines_cursor = case when ${CHANGED} then null else lines_cursor end,
    lines_read_at = case when ${CHANGED} then null else lines_read_at end,
    weighed_at = case when ${CHANGED} then null else weighed_at end
  where connection_id = $1 and provider_settlement_id = $2`;
