import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { CaptureRow } from './capture.ts';
import { NOTE_DAYS } from './planned-days.ts';

export type UnplannedCapture = Pick<CaptureRow, 'id' | 'captured_at' | 'channel'>;

/** Imported ones wait until their import has read the payouts, too. */
export function findUnplanned(sql: Sql, connectionId: string, limit: number) {
  return sql.query<UnplannedCapture>(
    `select id, captured_at, channel from captures k
     where connection_id = $1 and settles_on is null
       and ((select importing_since from connections where id = $1) is null
         or (select created_by from charges c where c.id = k.charge_id) <> 'import')
     order by id limit $2`,
    [connectionId, limit],
  );
}

/**
 * A day that is written already stays. They are found by their ids first: where statistics are of a
 * time when no day was missing, PostgreSQL would look for each of them among all that lack one.
 */
export async function writeSettlementDays(
  sql: Sql,
  captures: readonly { id: string; day: string }[],
): Promise<void> {
  await sql.query(
    `with known as materialized (
       select k.id, k.settles_on, plan.day
       from captures k join unnest($1::text[], $2::date[]) as plan (id, day) on k.id = plan.id
       order by k.id for update of k
     ), changed as (
       update captures k set settles_on = known.day
       from known where k.id = known.id and known.settles_on is null
       returning k.connection_id, k.settles_on)
     ${NOTE_DAYS}`,
    [captures.map(({ id }) => id), captures.map(({ day }) => day)],
  );
}

/**
 * A capture that another settlement holds stays there. Only a missing fee is taken over; returns
 * the ids of those.
 */
export async function assignToSettlement(
  { sql }: Tx,
  settlementId: string,
  captures: readonly { id: string; feeKobo: number | null }[],
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `with known as materialized (
       select k.id, k.fee_kobo is null and paid_out.fee_kobo is not null as takes_fee,
         paid_out.fee_kobo
       from captures k join unnest($2::text[], $3::bigint[]) as paid_out (id, fee_kobo)
         on k.id = paid_out.id
       order by k.id for update of k
     ), changed as (
       update captures k set settlement_id = coalesce(k.settlement_id, $1),
         fee_kobo = coalesce(k.fee_kobo, known.fee_kobo)
       from known where k.id = known.id and (k.settlement_id is null or takes_fee)
       returning k.id, k.connection_id, k.settles_on, takes_fee
     ), noted as (${NOTE_DAYS})
     select id from changed where takes_fee`,
    [settlementId, captures.map(({ id }) => id), captures.map(({ feeKobo }) => feeKobo)],
  );
  return rows.map(({ id }) => id);
}

/** SQL: the line's fee for payment `k`, unless amount and fee differ alike: the payer bore it. */
export const feeTaken = (line: string) => `
  case when k.amount_kobo - k.fee_kobo = ${line}.amount_kobo - ${line}.fee_kobo
    then k.fee_kobo else coalesce(${line}.fee_kobo, k.fee_kobo) end`;

export async function releaseFromSettlement(
  { sql }: Tx,
  settlementId: string,
  ids: readonly string[],
): Promise<void> {
  await sql.query(
    `with changed as (
       update captures set settlement_id = null where id = any($2) and settlement_id = $1
       returning connection_id, settles_on)
     ${NOTE_DAYS}`,
    [settlementId, ids],
  );
}

/** Settlements that hold a capture changed since; the changes count as noted from then on. */
export async function takeSettlementsOfChanged({ sql }: Tx, connectionId: string) {
  const rows = await sql.query<{ id: string }>(
    `with changed as (
       update captures set changed_at = null where connection_id = $1 and changed_at is not null
       returning connection_id, settles_on, settlement_id
     ), noted as (${NOTE_DAYS} and settlement_id is null)
     select distinct settlement_id as id from changed where settlement_id is not null`,
    [connectionId],
  );
  return rows.map(({ id }) => id);
}

export async function writeListed(
  { sql, now }: Tx,
  connectionId: string,
  providerPaymentIds: readonly string[],
): Promise<void> {
  await sql.query(
    `update captures set listed_at = $3
     where connection_id = $1 and provider_payment_id = any($2) and listed_at is null`,
    [connectionId, providerPaymentIds, now],
  );
}
