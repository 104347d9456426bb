import { unpostedOf } from '../../journal/post.ts';
import { CURRENCY } from '../../shared/money.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import { type Tx, txAt } from '../../shared/tx.ts';
import { findCapturesOf } from '../capture/store.ts';
import { lockCharges } from '../charge/store.ts';
import type { DisputeRow } from '../dispute/row.ts';
import { postCaptures } from './post-captures.ts';
import { postDispute } from './post-dispute.ts';
import { postPastReturns } from './post-returns.ts';

export interface PastCharges {
  /** In the order in which they were made. */
  ids: string[];
  /** Those of which the journal lacks something. */
  unposted: string[];
}

export async function findPastCharges(
  sql: Sql,
  reader: Reader,
  { after, limit }: { after: string; limit: number },
): Promise<PastCharges> {
  const charges = await sql.query<{ id: string }>(
    'select id from charges where tenant_id = $1 and mode = $2 and id > $3 order by id limit $4',
    [reader.tenantId, reader.mode, after, limit],
  );
  const ids = charges.map(({ id }) => id);
  const records = await sql.query<{ id: string; charge_id: string }>(
    `select id, charge_id from captures where charge_id = any($1)
     union all select id, charge_id from refunds where charge_id = any($1) and status = 'completed'
     union all select id, charge_id from disputes where charge_id = any($1)`,
    [ids],
  );
  const unposted = await unpostedOf(sql, records);
  return { ids, unposted: [...new Set(unposted.map(({ charge_id: id }) => id))] };
}

/**
 * Posts what the journal lacks of these charges, as it was posted when the service heard of it, as
 * far as records tell. Locks the charges; the accounts that compare their payouts must be locked.
 */
export async function postPastCharges(tx: Tx, ids: readonly string[]) {
  const charges = await lockCharges(tx, ids);
  const captures = [...(await findCapturesOf(tx, ids)).values()].flat();
  const newCaptures = await unpostedOf(tx.sql, captures);
  const captured = Map.groupBy(newCaptures, ({ chargeId }) => chargeId);
  for (const charge of charges)
    for (const capture of captured.get(charge.id) ?? [])
      await postCaptures(txAt(tx, capture.recordedAt), charge, [], [capture]);
  const returns = await tx.sql.query<{ id: string; capture_id: string }>(
    `select id, capture_id from refunds where charge_id = any($1) and status = 'completed'
     union all select id, capture_id from disputes where charge_id = any($1) and status = 'lost'`,
    [ids],
  );
  const returned = (await unpostedOf(tx.sql, returns)).map((one) => one.capture_id);
  await postPastDisputes(tx, ids);
  for (const captureId of new Set(returned)) await postPastReturns(tx, captureId);
}

/** A loss is posted with the refunds of its payment. */
async function postPastDisputes(tx: Tx, chargeIds: readonly string[]) {
  const disputes = await tx.sql.query<DisputeRow>(
    `select d.* from disputes d join captures k on k.id = d.capture_id
     where d.charge_id = any($1) and k.currency = $2 order by d.id`,
    [chargeIds, CURRENCY],
  );
  for (const dispute of await unpostedOf(tx.sql, disputes)) {
    const { opened_at: openedAt, decided_at: decidedAt } = dispute;
    const opened: DisputeRow = { ...dispute, status: 'open' };
    await postDispute(txAt(tx, openedAt), undefined, opened);
    if (dispute.status === 'won')
      await postDispute(txAt(tx, decidedAt ?? openedAt), opened, dispute);
  }
}
