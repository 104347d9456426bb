import type { Job } from '../jobs.ts';
import type { Tx } from '../shared/tx.ts';
import { usableConnections } from './attempt/connections.ts';
import { hasPayableAttempt } from './attempt/payable.ts';
import type { AttemptRow } from './attempt/row.ts';
import { findAttempts, openAttempt } from './attempt/store.ts';
import { isOver } from './charge/ending.ts';
import { lockCharge } from './charge/store.ts';
import { recordAttempt } from './record-attempt.ts';

/**
 * Opens the next payment of a charge whose links have all ended, at the same connection while that
 * may be used. Only once the provider of every link that ran out was asked after its end, and
 * answered: money may have come in its last minute. However many requests come at once, one opens
 * it. Returns the jobs to enqueue after the commit.
 */
export async function renewLink(tx: Tx, chargeId: string): Promise<Job[]> {
  const { sql, now } = tx;
  const charge = await lockCharge(tx, chargeId);
  // A person looks at what came, or what the provider said, before the payer is asked for money
  // again.
  if (isOver(charge, now) || charge.review.length > 0) return [];
  if (await hasPayableAttempt(sql, chargeId, now)) return [];
  const attempts = await findAttempts(sql, chargeId);
  const runOut = attempts.filter(({ status }) => status === 'open');
  if (runOut.some(isUnasked)) return [];
  const last = attempts.at(-1)!;
  const usable = await usableConnections(sql, chargeId);
  const next = usable.find(({ id }) => id === last.connection_id) ?? usable[0];
  if (!next) return [];
  const jobs: Job[] = [];
  const ended = { type: 'ended', message: 'The payment link ran out unpaid.' } as const;
  for (const { id } of runOut) jobs.push(...(await recordAttempt(tx, id, ended)));
  const at = { connectionId: next.id, slot: next.slot, dueAt: now };
  return [...jobs, await openAttempt(tx, charge, at)];
}

function isUnasked({
  verified_at: verifiedAt,
  link_expires_at: linkExpiresAt,
}: AttemptRow): boolean {
  return verifiedAt === null || linkExpiresAt === null || verifiedAt < linkExpiresAt;
}
