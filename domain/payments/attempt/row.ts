import type { Job } from '../../jobs.ts';
import { newId, randomBase36, referenceOf } from '../../shared/ids.ts';
import type { Tx } from '../../shared/tx.ts';
import type { AttemptStatus } from './transitions.ts';

/** An attempt as its row holds it. Times UTC. */
export interface AttemptRow {
  id: string;
  charge_id: string;
  connection_id: string;
  slot: string;
  /** Our reference for this payment at the provider: `SV-<n>-<8 random base36>`. */
  reference: string;
  status: AttemptStatus;
  url: string | null;
  link_expires_at: Date | null;
  /** When we first may have sent it. */
  sent_at: Date | null;
  accepted_at: Date | null;
  /** When the provider last answered a question about it. */
  verified_at: Date | null;
  /** How often it was claimed, and how many of these claims cost no try. */
  tries: number;
  snoozes: number;
  due_at: Date | null;
  created_at: Date;
}

/** Our reference for one more payment of a charge. The random tail keeps databases that share a provider account apart. */
function newAttemptReference(chargeNumber: number): string {
  return `${referenceOf(chargeNumber)}-${randomBase36(8)}`;
}

/** Writes the promise of one more payment at a connection and returns its job. Nothing is sent before this is committed. */
export async function openAttempt(
  { sql, now }: Tx,
  charge: { id: string; number: number },
  at: { connectionId: string; slot: string; dueAt: Date },
): Promise<Job> {
  const id = newId('att', now);
  await sql.query(
    `insert into attempts (id, charge_id, connection_id, slot, reference, status, due_at, created_at)
     values ($1, $2, $3, $4, $5, 'sending', $6, $7)`,
    [id, charge.id, at.connectionId, at.slot, newAttemptReference(charge.number), at.dueAt, now],
  );
  return { queue: 'charge-create', id, tries: 0, dueAt: at.dueAt };
}
