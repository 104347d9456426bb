import type { Tx } from '../../shared/tx.ts';
import { usableConnections } from '../attempt/connections.ts';
import { hasPayableAttempt } from '../attempt/payable.ts';
import type { AttemptRow } from '../attempt/row.ts';
import { findAttempts, openAttempt } from '../attempt/store.ts';
import { isOver } from '../charge/ending.ts';
import { lockCharge } from '../charge/store.ts';
import { recordAttempt } from '../facts/record-attempt.ts';

/**
 * Opens the next attempt when all links have ended, at the same connection where it may. Each must
 * have been verified after its end. Of many requests at once, one opens it.
 */
export async function renewLink(tx: Tx, chargeId: string): Promise<void> {
  const { sql, now } = tx;
  const charge = await lockCharge(tx, chargeId);
  // A person decides on the review before the payer is asked for money again.
  if (isOver(charge, now) || charge.review.length > 0) return;
  if (await hasPayableAttempt(sql, chargeId, now)) return;
  const attempts = await findAttempts(sql, chargeId);
  const expired = attempts.filter(({ status }) => status === 'open');
  if (expired.some(isUnverified)) return;
  const last = attempts.at(-1)!;
  const usable = await usableConnections(sql, chargeId);
  const next = usable.find(({ id }) => id === last.connection_id) ?? usable[0];
  if (!next) return;
  const ended = { type: 'ended', message: 'The payment link ran out unpaid.' } as const;
  for (const { id } of expired) await recordAttempt(tx, id, ended);
  const at = { connectionId: next.id, slot: next.slot, dueAt: now };
  await openAttempt(tx, charge, at);
}

function isUnverified({ verified_at: verifiedAt, link_expires_at: linkExpiresAt }: AttemptRow) {
  return verifiedAt === null || linkExpiresAt === null || verifiedAt < linkExpiresAt;
}
