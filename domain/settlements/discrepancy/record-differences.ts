import { mailMembers } from '../../accounts/member/mail-members.ts';
import { newId } from '../../shared/ids.ts';
import { statement } from '../../shared/sql.ts';
import { isHistory, type Tx } from '../../shared/tx.ts';
import { findWanting, type NewEvent, publishEvent } from '../../webhooks/event/publish.ts';
import type { SettlementAccount } from '../account/account.ts';
import { type Difference, detailOf } from './detail.ts';
import { discrepanciesFrom } from './find.ts';
import { type DiscrepancyRow, discrepancyView } from './row.ts';
import { type DiscrepancyKind, discrepancyTransitions, statusesBefore } from './transitions.ts';

export interface Comparison {
  /** SQL giving rows of `Difference`. `$1` is the connection, `$2` and on are `values`. */
  differences: string;
  /**
   * SQL condition on `d`, with the same parameters: the discrepancies that this comparison finds
   * again if they still differ. One in this scope that is not found has vanished.
   */
  scope: string;
  values: readonly unknown[];
}

/**
 * Discrepancies that one statement opens. Each statement compares everything anew, so small batches
 * would take long.
 */
const BATCH = 5_000;

const UNTIL_VANISHED = statusesBefore('vanished')
  .map((status) => `'${status}'`)
  .join(', ');

/**
 * Brings the discrepancies on record up to date with a comparison: opens new ones, updates those
 * that changed, resolves those that vanished. A closed one stays closed while it is the same; once
 * it changes it is resolved, and a new one is opened. A repetition changes nothing. The account
 * must be locked.
 */
export async function recordDifferences(
  tx: Tx,
  account: SettlementAccount,
  comparison: Comparison,
): Promise<void> {
  await joinSets(tx);
  await resolveVanished(tx, account, comparison);
  const { differences, values } = comparison;
  for (;;) {
    const found = await tx.sql.query<Difference>(
      `with found as materialized (${differences})
       select * from found where not exists (${discrepanciesOf('open', AS_FOUND)})
         and not exists (${discrepanciesOf('closed', AS_FOUND)}) limit ${BATCH}`,
      [account.id, ...values],
    );
    await open(tx, account, found);
    if (found.length < BATCH) return;
  }
}

/**
 * Resolves the discrepancies of a kind about which `isOver` is true: an SQL condition on `d`, with
 * the connection as `$1`.
 */
export async function resolveWhere(
  tx: Tx,
  { id }: SettlementAccount,
  kind: DiscrepancyKind,
  isOver: string,
): Promise<void> {
  await tx.sql.query(
    `update discrepancies d set status = '${discrepancyTransitions.open.vanished}', ended_at = $2
     where d.connection_id = $1 and d.kind = '${kind}' and d.status in (${UNTIL_VANISHED})
       and ${isOver}`,
    [id, tx.now],
  );
}

/**
 * What was found has no index: the transaction's other statements follow indexes row by row, and
 * these would compare each of 10,000 differences with each other.
 */
async function joinSets({ sql }: Tx): Promise<void> {
  await sql.query("select set_config('enable_hashjoin', 'on', true)");
}

async function resolveVanished(
  { sql, now }: Tx,
  account: SettlementAccount,
  { differences, scope, values }: Comparison,
): Promise<void> {
  const parameters = [account.id, ...values];
  await sql.query(
    `with found as materialized (${differences})
     update discrepancies d set status = '${discrepancyTransitions.open.vanished}',
       ended_at = $${parameters.length + 1}
     where d.connection_id = $1 and d.status in (${UNTIL_VANISHED}) and ${scope} and not exists (
       select from found where found.kind = d.kind and found.subject = d.subject
         and (d.status = 'open' or ${SAME}))`,
    [...parameters, now],
  );
}

const SAME = `d.difference_kobo = found.difference_kobo and d.amount_kobo = found.amount_kobo
  and d.settlement_id is not distinct from found.settlement_id`;
const AS_FOUND = { kind: 'found.kind', subject: 'found.subject', where: SAME };

/**
 * A subquery of the discrepancies of connection `$1` with this kind and subject, both SQL, found by
 * the index that each status has. The offset keeps the planner from joining: it cannot know how
 * many there are, and would compare each subject with all of them. A subject may be an id, whose
 * collation is not that of the index.
 */
export function discrepanciesOf(
  status: 'open' | 'closed',
  { kind, subject, where = 'true' }: { kind: string; subject: string; where?: string },
): string {
  return `select from discrepancies d where d.connection_id = $1 and d.kind = ${kind}
    and d.subject = ${subject} collate "default" and d.status = '${status}' and ${where}
    offset 0`;
}

async function open(
  tx: Tx,
  { id, tenant_id, mode, slot }: SettlementAccount,
  found: readonly Difference[],
): Promise<void> {
  if (found.length === 0) return;
  const { sql, now } = tx;
  const rows = found.map((row) => ({ ...row, id: newId('dsc', now), detail: detailOf(row) }));
  await insert(sql, { tenant_id, mode, connectionId: id, slot, now, rows: JSON.stringify(rows) });
  const ids = rows.flatMap((row) => (isHistory(tx, row.day) ? [] : row.id));
  await publishOpened(tx, { tenantId: tenant_id, mode, type: 'discrepancy.opened' }, ids);
}

/** One that was open before keeps its id. */
async function publishOpened(
  tx: Tx,
  event: Pick<NewEvent, 'tenantId' | 'mode' | 'type'>,
  ids: readonly string[],
): Promise<void> {
  const opened = await tx.sql.query<DiscrepancyRow>(
    `${discrepanciesFrom('discrepancies')} where d.id = any($1)`,
    [ids],
  );
  const endpointIds = await findWanting(tx.sql, event);
  const { tenantId, mode } = event;
  if (opened[0]) {
    const notice = { kind: 'discrepancies_opened', subjectId: opened[0].id } as const;
    await mailMembers(tx, 'close discrepancies', { tenantId, mode, ...notice });
  }
  for (const row of opened)
    await publishEvent(
      tx,
      { ...event, subjectId: row.id, data: discrepancyView(row) },
      endpointIds,
    );
}

const insert = statement(`
  insert into discrepancies (id, tenant_id, mode, connection_id, slot, status, opened_at, kind,
    subject, settlement_id, line_id, charge_id, reference, amount_kobo, difference_kobo, day,
    detail)
  select id, :tenant_id, :mode, :connectionId, :slot, 'open', :now, kind, subject, settlement_id,
    line_id, charge_id, reference, amount_kobo, difference_kobo, day, detail
  from json_populate_recordset(null::discrepancies, :rows)
  on conflict (connection_id, kind, subject) where status = 'open' do update set
    settlement_id = excluded.settlement_id, line_id = excluded.line_id,
    charge_id = excluded.charge_id, amount_kobo = excluded.amount_kobo,
    difference_kobo = excluded.difference_kobo, day = excluded.day, detail = excluded.detail`);
