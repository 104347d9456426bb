import type { Job } from '../../jobs.ts';
import type { Tx } from '../../shared/tx.ts';
import { knownAttemptStatuses } from './transitions.ts';

export interface AttemptsToCheck {
  connectionId: string;
  references: readonly string[];
  chargeIds: readonly string[];
}

export async function checkAttemptsNow(
  { sql, now, enqueue }: Tx,
  { connectionId, references, chargeIds }: AttemptsToCheck,
): Promise<void> {
  const rows = await sql.query<Pick<Job, 'id' | 'group'>>(
    `update attempts set due_at = $1
     where reference = any($2) and connection_id = $3 and charge_id = any($4)
       and status = any($5) and (due_at is null or due_at > $1)
     returning id, connection_id as "group"`,
    [now, references, connectionId, chargeIds, knownAttemptStatuses],
  );
  enqueue(...rows.map((row) => ({ ...row, queue: 'charge-check' as const })));
}
