import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import type { Job } from '../../jobs.ts';
import { isId } from '../../shared/ids.ts';
import { formatNaira } from '../../shared/money.ts';
import { Problem } from '../../shared/problems.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { findRefund, noSuchRefund } from './find.ts';
import { recordRefund } from './record.ts';
import type { RefundRow } from './row.ts';

/** What a person knows who looked in the provider's dashboard and did not find the refund: it is sent another time, or given up. */
export type ClearUp = 'send again' | 'give up';

/**
 * Clears up a refund of which nobody knows whether it was taken: only a person may say that it was not. Throws `not_found`, and
 * `invalid_state` for one that the provider has, or that is still being looked for. Returns the jobs to enqueue after the commit.
 */
export async function clearUpRefund(
  tx: Tx,
  actor: Actor,
  { id, decision, note }: { id: string; decision: ClearUp; note: string | null },
): Promise<{ refund: RefundRow; jobs: Job[] }> {
  const charge = await lockCharge(tx, actor, id);
  requireUnclear(await findRefund(tx.sql, actor, id));
  const jobs = decision === 'give up' ? await giveUp(tx, id) : await sendAgain(tx, id);
  const refund = await findRefund(tx.sql, actor, id);
  const what = decision === 'give up' ? 'refund.given_up' : 'refund.sent_again';
  const said = note === null ? '' : ` ${note}`;
  const detail = `An operator looked at the provider and found no refund of ${formatNaira(refund.amount_kobo)} (${id}).${said}`;
  await appendTimeline(tx, charge, [{ what, detail, amountKobo: refund.amount_kobo }]);
  await recordChange(
    tx,
    actor,
    what,
    id,
    `${formatNaira(refund.amount_kobo)} of SV-${refund.number}${said && `:${said}`}`,
  );
  return { refund, jobs };
}

async function lockCharge({ sql }: Tx, { tenantId, mode }: Actor, id: string): Promise<ChargeRow> {
  const [charge] = await sql.query<ChargeRow>(
    'select * from charges where id = (select charge_id from refunds where id = $1 and tenant_id = $2 and mode = $3) for update',
    [id, tenantId, mode],
  );
  if (!charge) throw noSuchRefund();
  return charge;
}

function requireUnclear({ status, accepted_at: acceptedAt, attention }: RefundRow): void {
  if (status !== 'processing')
    throw new Problem('invalid_state', `This refund is ${status}: there is nothing to clear up.`);
  if (acceptedAt !== null)
    throw new Problem('invalid_state', 'The provider has this refund, so it ends there.');
  if (attention === null)
    throw new Problem(
      'invalid_state',
      'This refund is still being looked for. Wait until it needs attention.',
    );
}

function giveUp(tx: Tx, id: string): Promise<Job[]> {
  return recordRefund(tx, id, { type: 'refused', message: 'The provider never took it.' });
}

async function sendAgain({ sql, now }: Tx, id: string): Promise<Job[]> {
  const [row] = await sql.query<{ tries: number }>(
    'update refunds set sent_at = null, attention = null, due_at = $2, enqueues = 0, enqueued_at = null where id = $1 returning tries',
    [id, now],
  );
  return [{ queue: 'refund-execute', id, tries: row!.tries }];
}

/** Refunds on their way that need a person, of every tenant, the oldest first. */
export function listRefundsInNeed(sql: Sql, limit: number): Promise<RefundRow[]> {
  return sql.query<RefundRow>(
    `select r.*, c.number, c.currency from refunds r join charges c on c.id = r.charge_id
     where r.attention is not null and r.status in ('approved', 'processing') order by r.id limit $1`,
    [limit],
  );
}

/** Whose refund it is. Throws `not_found`. */
export async function ownerOfRefund(
  sql: Sql,
  id: string,
): Promise<{ tenantId: string; mode: Mode }> {
  const [row] = isId('ref', id)
    ? await sql.query<{ tenant_id: string; mode: Mode }>(
        'select tenant_id, mode from refunds where id = $1',
        [id],
      )
    : [];
  if (!row) throw new Problem('not_found', `There is no refund ${id}.`);
  return { tenantId: row.tenant_id, mode: row.mode };
}
