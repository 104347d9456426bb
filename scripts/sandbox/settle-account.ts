import type { Sql } from '../../domain/shared/sql.ts';
import { accountOf } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import { notify } from './notifications.ts';
import type { Account, Settlement, SettlementStatus } from './records.ts';
import { first } from './rows.ts';
import { firstPayments } from './settlements.ts';
import { insertPaid } from './unrequested-payments.ts';

/** What a payout contains and how it ends. */
export interface Payout {
  at: Date;
  status: SettlementStatus;
  shortByKobo: number;
  /** Deducted without a refund or a dispute. */
  deductKobo: number;
  /** Payments that are not in it, and wait for a later one. */
  leftOut: number[];
  /** Lines that state more or less than was paid, or another fee. */
  lines: LineChange[];
  /** Payments of the merchant's other business, paid now and in it. */
  foreign: { reference: string; amountKobo: number }[];
  /** Whether the account is notified, where the provider does so. */
  notify: boolean;
}

/** What a line states beyond the payment's own amount and fee. */
export interface LineChange {
  paymentId: number;
  offKobo: number;
  feeOffKobo: number;
}

/**
 * Pays out what an account has not been paid yet, less what it owes back. Undefined when there is
 * nothing to pay out.  The account is locked meanwhile, so that two settlements never hold the same
 * payment.
 */
export async function settleAccount(
  context: SandboxContext,
  account: Account,
  payout: Payout,
): Promise<Settlement | undefined> {
  const settled = await context.sql.transaction(async (tx) => {
    await tx.query('select 1 from sandbox.account where id = $1 for no key update', [account.id]);
    for (const foreign of payout.foreign)
      await insertPaid(tx, context, account, { ...foreign, channel: 'card', at: payout.at });
    if (!(await hasPayments(tx, account, payout))) return undefined;
    await changeLines(tx, payout.lines);
    const settlement = await close(tx, context, account, await open(tx, account, payout), payout);
    if (payout.notify) await notifyLanded(tx, context, account, settlement);
    return settlement;
  });
  context.notifier.sendDue();
  return settled;
}

async function hasPayments(tx: Sql, account: Account, { leftOut }: Payout): Promise<boolean> {
  const found = await tx.query(
    `select 1 from sandbox.payment
      where account_id = $1 and paid_at is not null and settlement_id is null
        and id <> all($2::bigint[]) limit 1`,
    [account.id, leftOut],
  );
  return found.length > 0;
}

async function changeLines(tx: Sql, lines: LineChange[]): Promise<void> {
  for (const { paymentId, offKobo, feeOffKobo } of lines) {
    await tx.query(
      `update sandbox.payment set line_kobo = paid_kobo + $2::bigint,
       line_fee_kobo = fee_kobo + $3::bigint where id = $1`,
      [paymentId, offKobo, feeOffKobo],
    );
  }
}

/** A new settlement with every payment that waits, apart from those left out. */
async function open(
  tx: Sql,
  account: Account,
  { at, status, leftOut }: Payout,
): Promise<Settlement> {
  const opened = await first<Settlement>(
    tx,
    `insert into sandbox.settlement (account_id, status, created_at, updated_at, landed_at)
     values ($1, $2, $3::timestamptz, $3::timestamptz,
       case when $2 = 'landed' then $3::timestamptz end) returning *`,
    [account.id, status, at],
  );
  await tx.query(
    `update sandbox.payment p set settlement_id = $2, line_number = l.number
       from (select id, row_number() over (order by id) as number from sandbox.payment
              where account_id = $1 and paid_at is not null and settlement_id is null
                and id <> all($3::bigint[])) l
      where l.id = p.id`,
    [account.id, opened!.id, leftOut],
  );
  return opened!;
}

async function close(
  tx: Sql,
  context: SandboxContext,
  account: Account,
  settlement: Settlement,
  payout: Payout,
): Promise<Settlement> {
  const lines = await sumLines(tx, context, account, settlement);
  const netKobo = lines.grossKobo - lines.feeKobo;
  const levyKobo = Math.min(payout.deductKobo, netKobo);
  await takeDeductions(tx, settlement, netKobo - levyKobo);
  return writeTotals(tx, { ...settlement, ...lines, levyKobo }, payout.shortByKobo);
}

/** Computes the totals of a settlement again after payments were removed. Its shortfall stays. */
export async function computeTotals(
  tx: Sql,
  context: SandboxContext,
  settlement: Settlement,
): Promise<void> {
  const { grossKobo, feeKobo, deductionsKobo, landedKobo } = settlement;
  await numberLines(tx, settlement);
  const lines = await sumLines(tx, context, await accountOf(tx, settlement), settlement);
  await writeTotals(
    tx,
    { ...settlement, ...lines },
    grossKobo - feeKobo - deductionsKobo - landedKobo,
  );
}

/** Numbers the lines without a gap again. */
async function numberLines(tx: Sql, settlement: Settlement): Promise<void> {
  await tx.query(
    `update sandbox.payment p set line_number = l.number
       from (select id, row_number() over (order by id) as number from sandbox.payment
         where settlement_id = $1) l
      where l.id = p.id and p.line_number is distinct from l.number`,
    [settlement.id],
  );
}

type Sums = Pick<Settlement, 'lineCount' | 'grossKobo' | 'feeKobo' | 'stampDutyKobo'>;

async function sumLines(
  tx: Sql,
  context: SandboxContext,
  account: Account,
  settlement: Settlement,
): Promise<Sums> {
  const { stampDuty } = context.providers[account.provider];
  const sums = await first<Sums>(
    tx,
    `select count(*) as line_count, coalesce(sum(kobo), 0)::bigint as gross_kobo,
            coalesce(sum(fee), 0)::bigint as fee_kobo,
            coalesce(sum(least(fee, $3)) filter (where kobo > $2), 0)::bigint as stamp_duty_kobo
       from (select coalesce(line_kobo, paid_kobo) as kobo, coalesce(line_fee_kobo, fee_kobo) as fee
               from sandbox.payment where settlement_id = $1) line`,
    [settlement.id, stampDuty?.aboveKobo ?? 0, stampDuty?.kobo ?? 0],
  );
  return sums!;
}

async function writeTotals(
  tx: Sql,
  settlement: Settlement,
  shortByKobo: number,
): Promise<Settlement> {
  const { id, lineCount, grossKobo, feeKobo, stampDutyKobo, levyKobo } = settlement;
  const stated = await first<Settlement>(
    tx,
    `update sandbox.settlement set line_count = $2, gross_kobo = $3::bigint, fee_kobo = $4::bigint,
            stamp_duty_kobo = $5, levy_kobo = $6::bigint, deductions_kobo = $6::bigint + owed.kobo,
            landed_kobo = greatest(0, $3::bigint - $4::bigint - $6::bigint - owed.kobo - $7::bigint)
       from (select coalesce(sum(amount_kobo), 0)::bigint as kobo from sandbox.deduction
         where settlement_id = $1) owed
      where id = $1 returning settlement.*`,
    [id, lineCount, grossKobo, feeKobo, stampDutyKobo, levyKobo, shortByKobo],
  );
  return stated!;
}

/**
 * Takes what is owed back, oldest first, as far as the money reaches: a bank transfer cannot be
 * negative, the rest waits for the next one.
 */
async function takeDeductions(tx: Sql, settlement: Settlement, netKobo: number): Promise<void> {
  await tx.query(
    `with owed as (
       select id, sum(amount_kobo) over (order by id) as running_kobo from sandbox.deduction
         where account_id = $1 and settlement_id is null)
     update sandbox.deduction d set settlement_id = $2 from owed where d.id = owed.id
       and owed.running_kobo <= $3`,
    [settlement.accountId, settlement.id, netKobo],
  );
}

export interface SettlementChange {
  id: number;
  at: Date;
  status?: SettlementStatus | undefined;
  landedKobo?: number | undefined;
  notify: boolean;
}

/**
 * Changes a payout later: it lands, bounces, or is topped up. Money that landed is notified.
 * Undefined: no such payout.
 */
export async function changeSettlement(
  context: SandboxContext,
  change: SettlementChange,
): Promise<Settlement | undefined> {
  const changed = await context.sql.transaction(async (tx) => {
    const before = await first<Settlement>(
      tx,
      'select * from sandbox.settlement where id = $1 for update',
      [change.id],
    );
    const after = before && (await write(tx, change));
    const hasNewMoney =
      after?.status === 'landed' &&
      (before!.status !== 'landed' || after.landedKobo !== before!.landedKobo);
    if (hasNewMoney && change.notify)
      await notifyLanded(tx, context, await accountOf(tx, after), after);
    return after;
  });
  context.notifier.sendDue();
  return changed;
}

function write(
  tx: Sql,
  { id, at, status, landedKobo }: SettlementChange,
): Promise<Settlement | undefined> {
  return first<Settlement>(
    tx,
    `update sandbox.settlement
        set status = coalesce($2, status), landed_kobo = coalesce($3, landed_kobo),
            updated_at = $4::timestamptz, landed_at = case when coalesce($2, status) = 'landed'
            then coalesce(landed_at, $4::timestamptz) end
      where id = $1 returning *`,
    [id, status ?? null, landedKobo ?? null, at],
  );
}

async function notifyLanded(
  tx: Sql,
  context: SandboxContext,
  account: Account,
  settlement: Settlement,
): Promise<void> {
  const { settlement: notification } = context.providers[account.provider].notifications;
  if (!notification || settlement.status !== 'landed') return;
  const payments = await firstPayments(tx, settlement, notification.mostLines);
  await notify(tx, context, account, notification.message(account, settlement, payments));
}
