import type { Sql } from '../../domain/shared/sql.ts';
import type { Account, Deduction, Payment, Settlement } from './records.ts';
import { all, first, listPage, type Page, type Window } from './rows.ts';

/** A payment inside a settlement, as its line states it. */
export type Line = Pick<Payment, 'id' | 'reference' | 'email' | 'channel' | 'lineCurrency'> & {
  paidKobo: number;
  feeKobo: number;
  paidAt: Date;
};

/** What a settlement is made of. */
export interface Contents {
  paymentIds: number[];
  deductions: Deduction[];
}

const linesAtOnce = 2_000;

/**
 * A payment as its line in a settlement states it: what was paid and what the provider took, unless
 * the line was changed.
 */
export function asStated<Paid extends Payment>(payment: Paid): Paid {
  return {
    ...payment,
    paidKobo: payment.lineKobo ?? payment.paidKobo,
    feeKobo: payment.lineFeeKobo ?? payment.feeKobo,
  };
}

/** The currency of a payment, as its line in a settlement states it. */
export function currencyStated({ lineCurrency }: Pick<Payment, 'lineCurrency'>): string {
  return lineCurrency ?? 'NGN';
}

/** Every line of a settlement, oldest first, some at a time: there may be a hundred thousand. */
export async function* linesOf(sql: Sql, { id, lineCount }: Settlement): AsyncGenerator<Line[]> {
  for (let from = 1; from <= lineCount; from += linesAtOnce) {
    const lines = await all<Line>(
      sql,
      `select id, reference, email, channel, coalesce(line_kobo, paid_kobo) as paid_kobo,
       coalesce(line_fee_kobo, fee_kobo) as fee_kobo, line_currency, paid_at
         from sandbox.payment where settlement_id = $1 and line_number between $2 and $3
           order by id`,
      [id, from, from + linesAtOnce - 1],
    );
    yield lines;
  }
}

/** The first payments of a settlement, oldest first. */
export function firstPayments(sql: Sql, { id }: Settlement, count: number): Promise<Payment[]> {
  return all<Payment>(
    sql,
    `select * from sandbox.payment_state where settlement_id = $1 and line_number <= $2
     order by id`,
    [id, count],
  );
}

/**
 * One page of what a table of payments holds of a settlement, newest first. What they add up to is
 * known, so that nothing is counted.
 */
export async function listSettled<Entity>(
  sql: Sql,
  table: string,
  settlement: Settlement,
  window: Window,
): Promise<Page<Entity>> {
  const { id, lineCount, grossKobo } = settlement;
  const last = lineCount - window.offset;
  const rows = await all<Entity>(
    sql,
    `select * from ${table} where id = any(array(
       select id from sandbox.payment where settlement_id = $1 and line_number > $2
         and line_number <= $3)) order by id desc`,
    [id, last - window.limit, last],
  );
  return { rows, total: lineCount, volumeKobo: grossKobo };
}

/**
 * What each of some settlements is made of, by its number, both oldest first: asked for all of them
 * at once.
 */
export async function contentsOf(
  sql: Sql,
  settlements: Settlement[],
): Promise<Map<number, Contents>> {
  const ids = settlements.map(({ id }) => id);
  const payments = await all<{ settlementId: number; ids: string }>(
    sql,
    `select settlement_id, string_agg(id::text, ',' order by id) as ids from sandbox.payment
      where settlement_id = any($1::bigint[]) group by settlement_id`,
    [ids],
  );
  const deductions = await all<Deduction & { settlementId: number }>(
    sql,
    'select * from sandbox.deduction where settlement_id = any($1::bigint[]) order by id',
    [ids],
  );
  const paymentIds = new Map(
    payments.map((row) => [row.settlementId, row.ids.split(',').map(Number)]),
  );
  const ofEach = Map.groupBy(deductions, ({ settlementId }) => settlementId);
  return new Map(
    ids.map((id) => [
      id,
      { paymentIds: paymentIds.get(id) ?? [], deductions: ofEach.get(id) ?? [] },
    ]),
  );
}

/**
 * What an account would be paid out now, short of what it owes back; less than nothing while it
 * owes more.
 */
export async function unsettledKobo(sql: Sql, account: Account): Promise<number> {
  const sum = await first<{ kobo: number }>(
    sql,
    `select coalesce((select sum(paid_kobo - fee_kobo) from sandbox.payment
                       where account_id = $1 and paid_at is not null and settlement_id is null),
                         0)::bigint
          - coalesce((select sum(amount_kobo) from sandbox.deduction where account_id = $1
            and settlement_id is null), 0)::bigint as kobo`,
    [account.id],
  );
  return sum!.kobo;
}

/** Whether an account has money that is in no settlement yet. */
export async function hasUnsettled(sql: Sql, account: Account): Promise<boolean> {
  const found = await sql.query(
    `select 1 from sandbox.payment where account_id = $1 and paid_at is not null
     and settlement_id is null limit 1`,
    [account.id],
  );
  return found.length > 0;
}

export function findSettlement(
  sql: Sql,
  account: Account,
  id: number,
): Promise<Settlement | undefined> {
  return first<Settlement>(
    sql,
    'select * from sandbox.settlement where account_id = $1 and id = $2',
    [account.id, id],
  );
}

/** An account's settlements, newest first. */
export function listSettlements(
  sql: Sql,
  account: Account,
  conditions: Record<string, unknown>,
  window: Window,
): Promise<Page<Settlement>> {
  return listPage<Settlement>(
    sql,
    'sandbox.settlement',
    { 'account_id = ?': account.id, ...conditions },
    window,
  );
}
