import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { AttemptRow } from '../attempt/row.ts';
import type { CaptureRow } from '../capture/capture.ts';
import type { DisputedPayment, DisputeRow } from './row.ts';
import type { DisputeStatus } from './transitions.ts';

export interface OpenQuery {
  connectionId: string;
  listed: readonly string[];
  since: Date;
  limit: number;
}

/** The one asked about longest ago first. Marks those just listed as asked about now. */
export async function openDisputes(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  { connectionId, listed, since, limit }: OpenQuery,
) {
  await sql.query(
    `update disputes set asked_at = $3 where connection_id = $1 and status = 'open'
     and provider_dispute_id = any($2)`,
    [connectionId, listed, now],
  );
  const rows = await sql.query<
    Pick<CaptureRow, 'id' | 'provider_payment_id' | 'captured_at'> & Pick<AttemptRow, 'reference'>
  >(
    `select k.id, k.provider_payment_id, a.reference, k.captured_at
     from (
       select capture_id, min(asked_at) as asked_at, min(id) as id from (
         select * from disputes where connection_id = $1 and status = 'open'
           and (asked_at is null or asked_at < $2)
         order by asked_at nulls first, id limit $3
       ) due group by capture_id
     ) due join captures k on k.id = due.capture_id join attempts a on a.id = k.attempt_id
     order by due.asked_at nulls first, due.id`,
    [connectionId, since, limit],
  );
  return rows.map((row) => ({
    captureId: row.id,
    providerPaymentId: row.provider_payment_id,
    reference: row.reference,
    capturedAt: row.captured_at,
  }));
}

export async function markAsked({ sql, now }: Pick<Tx, 'sql' | 'now'>, captureId: string) {
  await sql.query(`update disputes set asked_at = $2 where capture_id = $1 and status = 'open'`, [
    captureId,
    now,
  ]);
}

/**
 * By the provider's id, or one entered by hand for the same payment. One that a person saw won is
 * it only where the provider says the same: else the payer's bank asks again.
 */
export async function findReported(
  sql: Sql,
  { connectionId, captureId }: Pick<DisputedPayment, 'connectionId' | 'captureId'>,
  { providerDisputeId, state }: { providerDisputeId: string; state: DisputeStatus },
): Promise<DisputeRow | undefined> {
  const [known] = await sql.query<DisputeRow>(
    `select * from disputes
     where connection_id = $1
       and (provider_dispute_id = $2 or (provider_dispute_id is null and capture_id = $3
         and (status <> 'won' or status = $4)))
     order by provider_dispute_id nulls last, id desc limit 1`,
    [connectionId, providerDisputeId, captureId, state],
  );
  return known;
}

export async function findLastDispute(
  sql: Sql,
  captureId: string,
): Promise<DisputeRow | undefined> {
  const [last] = await sql.query<DisputeRow>(
    `select * from disputes where capture_id = $1 order by status = 'open' desc, id desc limit 1`,
    [captureId],
  );
  return last;
}

export async function hasOpenDispute(sql: Sql, captureId: string, exceptId = ''): Promise<boolean> {
  const open = await sql.query(
    `select 1 from disputes where capture_id = $1 and id <> $2 and status = 'open' limit 1`,
    [captureId, exceptId],
  );
  return open.length > 0;
}

/** The most that can go back of a payment, and whether a dispute of it was lost. */
export async function paymentOf(
  sql: Sql,
  captureId: string,
): Promise<{ paidKobo: number; hasLostDispute: boolean }> {
  const [payment] = await sql.query<{ paidKobo: number; hasLostDispute: boolean }>(
    `select amount_kobo + case status when 'applied' then 0 else payer_fee_kobo end as "paidKobo",
       exists (select from disputes where capture_id = $1 and status = 'lost') as "hasLostDispute"
     from captures where id = $1`,
    [captureId],
  );
  return payment!;
}
