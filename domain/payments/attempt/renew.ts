import type { Job } from '../../jobs.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import { usableConnections } from './connections.ts';
import { isOver } from './expire.ts';
import { recordAttempt } from './record-attempt.ts';
import { type AttemptRow, openAttempt } from './row.ts';

/** SQL, by the parameter that says what time it is: attempt `a` leads its payer to a link, or will soon, or holds money. */
export const leadsOn = (now: `$${number}`) =>
  `(a.status in ('sending', 'captured') or (a.status = 'open' and (a.link_expires_at is null or a.link_expires_at > ${now})))`;

const LEADING = `select 1 from attempts a where charge_id = $1 and ${leadsOn('$2')} limit 1`;

/**
 * Opens the next payment of a charge whose links have all ended, at the same connection while that may be used. Only once the provider of
 * every link that ran out was asked after its end, and answered: money may have come in its last minute. However many ask at once, one
 * opens it. Returns the jobs to enqueue after the commit.
 */
export async function renewLink(tx: Tx, chargeId: string): Promise<Job[]> {
  const { sql, now } = tx;
  const [charge] = await sql.query<ChargeRow>('select * from charges where id = $1 for update', [
    chargeId,
  ]);
  // A person looks at what came, or what the provider said, before the payer is asked for money again.
  if (!charge || isOver(charge, now) || charge.review.length > 0) return [];
  if ((await sql.query(LEADING, [chargeId, now])).length > 0) return [];
  const attempts = await sql.query<AttemptRow>(
    'select * from attempts where charge_id = $1 order by id',
    [chargeId],
  );
  const runOut = attempts.filter(({ status }) => status === 'open');
  if (runOut.some(isUnasked)) return [];
  const last = attempts.at(-1)!;
  const usable = await usableConnections(sql, chargeId);
  const next = usable.find(({ id }) => id === last.connection_id) ?? usable[0];
  if (!next) return [];
  const jobs: Job[] = [];
  for (const { id } of runOut)
    jobs.push(
      ...(await recordAttempt(tx, id, {
        type: 'ended',
        message: 'The payment link ran out unpaid.',
      })),
    );
  return [
    ...jobs,
    await openAttempt(tx, charge, { connectionId: next.id, slot: next.slot, dueAt: now }),
  ];
}

function isUnasked({
  verified_at: verifiedAt,
  link_expires_at: linkExpiresAt,
}: AttemptRow): boolean {
  return verifiedAt === null || linkExpiresAt === null || verifiedAt < linkExpiresAt;
}
