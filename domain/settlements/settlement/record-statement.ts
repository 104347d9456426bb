import { startTaskNow } from '../../accounts/connection/tasks.ts';
import type { ProviderSettlement } from '../../providers/port/settlement.ts';
import { newId } from '../../shared/ids.ts';
import { lagosDay } from '../../shared/lagos.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockAccount, type SettlementAccount } from '../account/account.ts';
import type { SettlementRow } from './row.ts';
import { readAgainAt } from './schedule.ts';
import { type SettlementStep, stepAfterStatement } from './transitions.ts';

/**
 * A forecast of that day becomes it and keeps its id; a pending one without is not recorded. Fields
 * left out stay; a change has the lines read again.
 */
export async function recordStatement(
  tx: Tx,
  account: SettlementAccount,
  stated: ProviderSettlement,
): Promise<void> {
  const { sql, now } = tx;
  await lockAccount(tx, account);
  const isFinal = ['landed', 'unclear', 'failed'].includes(stated.state);
  const day =
    stated.dueOn ?? (stated.landedAt || isFinal ? lagosDay(stated.landedAt ?? now) : null);
  const { id: connectionId, tenant_id: tenantId, mode, slot } = account;
  const { providerSettlementId } = stated;
  const asked = { connectionId, providerSettlementId, day };
  let [known] = await find(sql, asked);
  if (!known) [known] = await adoptForecast(sql, asked);
  if (!known && isFinal)
    [known] = await insert(sql, { ...asked, id: newId('stl', now), tenantId, mode, slot, now });
  if (!known) return;
  await update(sql, {
    ...decideStatement(known, stated),
    landedAt: stated.state === 'failed' ? null : stated.landedAt,
    bankName: stated.bank?.name ?? null,
    bankAccountLast4: stated.bank?.accountLast4 ?? null,
    day,
    readAgainAt: readAgainAt(now, 0),
  });
}

/** The notification is signed. */
export async function recordSettlementNotification(
  tx: Tx,
  account: SettlementAccount,
  stated: ProviderSettlement,
): Promise<void> {
  await recordStatement(tx, account, stated);
  await startTaskNow(tx, account.id, 'settlements');
}

export type Statement = Pick<
  SettlementRow,
  | 'id'
  | 'step'
  | 'stated_state'
  | 'stated_amount_kobo'
  | 'stated_deductions_kobo'
  | 'statement_version'
  | 'unreadable_reason'
>;

const STATEMENT = `id, step, stated_state, stated_amount_kobo, stated_deductions_kobo,
  statement_version, unreadable_reason`;

/**
 * What landed stays so unless it failed or cannot be read. One that could not be read counts so
 * until it is.
 */
export function decideStatement(known: Statement, stated: ProviderSettlement): Statement {
  const staysLanded =
    known.stated_state === 'landed' && ['pending', 'unknown'].includes(stated.state);
  const state = staysLanded ? 'landed' : stated.state;
  const amountKobo = stated.amountKobo ?? known.stated_amount_kobo;
  const deductionsKobo = stated.deductionsKobo ?? known.stated_deductions_kobo;
  const isChanged =
    known.stated_state !== state ||
    known.stated_amount_kobo !== amountKobo ||
    known.stated_deductions_kobo !== deductionsKobo;
  const step = isChanged ? stepAfterStatement(known.step, state) : known.step;
  const reason = stated.unclear ?? known.unreadable_reason;
  return {
    id: known.id,
    step,
    stated_state: state,
    stated_amount_kobo: amountKobo,
    stated_deductions_kobo: deductionsKobo,
    statement_version: known.statement_version + (isChanged ? 1 : 0),
    unreadable_reason: isBeingRead(step) ? reason : null,
  };
}

function isBeingRead(step: SettlementStep): boolean {
  return step === 'read_lines' || step === 'unreadable' || step === 'unclear';
}

const find = statement<Statement>(`
  select ${STATEMENT} from settlements
  where connection_id = :connectionId and provider_settlement_id = :providerSettlementId for update`);

const adoptForecast = statement<Statement>(`
  update settlements set provider_settlement_id = :providerSettlementId
  where connection_id = :connectionId and expected_date = :day and step = 'forecast'
    and provider_settlement_id is null returning ${STATEMENT}`);

const insert = statement<Statement>(`
  insert into settlements (id, tenant_id, mode, connection_id, slot, provider_settlement_id,
    status, step, expected_date, expected_amount_kobo, created_at)
  values (:id, :tenantId, :mode, :connectionId, :slot, :providerSettlementId, 'expected', 'pending',
    :day, 0, :now) returning ${STATEMENT}`);

/** Where the statement changed, from the first page again. */
const update = statement(`
  update settlements set step = :step, stated_state = :stated_state,
    stated_amount_kobo = :stated_amount_kobo, stated_deductions_kobo = :stated_deductions_kobo,
    statement_version = :statement_version,
    lines_cursor = case when statement_version = :statement_version then lines_cursor end,
    failed_reads = case when statement_version = :statement_version then failed_reads else 0 end,
    read_again_at =
      case when statement_version = :statement_version then read_again_at else :readAgainAt end,
    unreadable_reason = :unreadable_reason,
    landed_at = coalesce(landed_at, :landedAt), bank_name = coalesce(:bankName, bank_name),
    bank_account_last4 = coalesce(:bankAccountLast4, bank_account_last4),
    expected_date = coalesce(expected_date, :day)
  where id = :id`);
