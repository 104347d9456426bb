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
 * Records what a provider states about a settlement. Our forecast for that day becomes that
 * settlement and keeps its id. A pending settlement without a forecast is not recorded. A field
 * that a later statement leaves out stays as it was; a changed one has the lines read again.
 */
export async function recordStatement(
  tx: Tx,
  account: SettlementAccount,
  stated: ProviderSettlement,
): Promise<void> {
  await lockAccount(tx, account);
  const isFinal = ['landed', 'unclear', 'failed'].includes(stated.state);
  const day =
    stated.dueOn ?? (stated.landedAt || isFinal ? lagosDay(stated.landedAt ?? tx.now) : null);
  const known =
    (await findStatement(tx, account, stated)) ??
    (await adoptForecast(tx, account, stated, day)) ??
    (isFinal ? await insert(tx, account, stated, day) : undefined);
  if (known) await write(tx, decideStatement(known, stated), stated, day);
}

/** A provider's statement about a settlement, as it is on record. */
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
 * Combines the statement on record with a new one. A landed settlement stays landed unless its
 * provider says that it failed, or states it in a way that cannot be read. One that could not be
 * read counts so until it is.
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

/** True of the steps in which a settlement cannot be read, or is read again. */
function isBeingRead(step: SettlementStep): boolean {
  return step === 'read_lines' || step === 'unreadable' || step === 'unclear';
}

async function findStatement(
  { sql }: Tx,
  { id }: SettlementAccount,
  { providerSettlementId }: ProviderSettlement,
): Promise<Statement | undefined> {
  const [known] = await sql.query<Statement>(
    `select ${STATEMENT} from settlements
     where connection_id = $1 and provider_settlement_id = $2 for update`,
    [id, providerSettlementId],
  );
  return known;
}

async function adoptForecast(
  { sql }: Tx,
  { id }: SettlementAccount,
  { providerSettlementId }: ProviderSettlement,
  day: string | null,
): Promise<Statement | undefined> {
  const [adopted] = await sql.query<Statement>(
    `update settlements set provider_settlement_id = $3
     where connection_id = $1 and expected_date = $2 and step = 'forecast'
       and provider_settlement_id is null returning ${STATEMENT}`,
    [id, day, providerSettlementId],
  );
  return adopted;
}

async function insert(
  { sql, now }: Tx,
  account: SettlementAccount,
  { providerSettlementId }: ProviderSettlement,
  day: string | null,
): Promise<Statement> {
  const { id: connectionId, tenant_id: tenantId, mode, slot } = account;
  const id = newId('stl', now);
  const [inserted] = await insertExpected(sql, {
    ...{ id, tenantId, mode, connectionId, slot, providerSettlementId, day, now },
  });
  return inserted!;
}

const insertExpected = statement<Statement>(`
  insert into settlements (id, tenant_id, mode, connection_id, slot, provider_settlement_id,
    status, step, expected_date, expected_amount_kobo, created_at)
  values (:id, :tenantId, :mode, :connectionId, :slot, :providerSettlementId, 'expected', 'pending',
    :day, 0, :now) returning ${STATEMENT}`);

/** Where the statement changed, its lines are read from the first page again. */
async function write(
  { sql, now }: Tx,
  decided: Statement,
  { state, landedAt, bank }: ProviderSettlement,
  day: string | null,
): Promise<void> {
  await update(sql, {
    ...decided,
    landedAt: state === 'failed' ? null : landedAt,
    bankName: bank?.name ?? null,
    bankAccountLast4: bank?.accountLast4 ?? null,
    day,
    readAgainAt: readAgainAt(now, 0),
  });
}

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
