import { replaceFields } from '../../shared/payer-data.ts';
import type { Sql } from '../../shared/sql.ts';

/** Replaces fields of an object in the remembered answers. Returns how many were changed. */
export async function erasePayerFromAnswers(
  sql: Sql,
  { tenantId, id, createdAt }: { tenantId: string; id: string; createdAt: Date },
  fields: Record<string, unknown>,
): Promise<number> {
  const remembered = await sql.query<{ mode: string; scope: string; key: string; answer: string }>(
    `select mode, scope, key, answer from idempotency_keys
     where created_at = $1 and tenant_id = $2 and mode = any(array['live', 'test']) and not sealed
       and answer is not null
     for update`,
    [createdAt, tenantId],
  );
  let changed = 0;
  for (const { mode, scope, key, answer } of remembered) {
    const shown = JSON.parse(answer);
    if (shown.id !== id) continue;
    await sql.query(
      `update idempotency_keys set answer = $5
       where tenant_id = $1 and mode = $2 and scope = $3 and key = $4`,
      [tenantId, mode, scope, key, JSON.stringify(replaceFields(shown, fields))],
    );
    changed++;
  }
  return changed;
}
