import canonicalize from 'canonicalize';
import { Problem } from '../problems.ts';
import { sha256Of } from '../sha256.ts';
import type { Sql } from '../sql.ts';

/** SHA-256 (hex) of a body's canonical JSON (RFC 8785): the order of its keys and its white space do not count. */
export function hashBody(body: unknown): string {
  return sha256Of(canonicalize(body) ?? 'null');
}

export interface RememberedAnswer {
  status: number;
  /** The first answer's bytes. */
  answer: string;
}

export interface RememberedKey {
  tenantId: string;
  mode: string;
  /** Credential class, method and path. */
  scope: string;
  key: string;
  bodySha256: string;
}

/**
 * The answer remembered under an idempotency key, or undefined when there is none. Throws `idempotency_conflict` when the key was used
 * with another body.
 */
export async function recall(sql: Sql, { tenantId, mode, scope, key, bodySha256 }: RememberedKey): Promise<RememberedAnswer | undefined> {
  const [row] = await sql.query<RememberedAnswer & { body_sha256: string }>(
    'select status, answer, body_sha256 from idempotency_keys where tenant_id = $1 and mode = $2 and scope = $3 and key = $4',
    [tenantId, mode, scope, key],
  );
  if (!row) return undefined;
  if (row.body_sha256 !== bodySha256) {
    throw new Problem(
      'idempotency_conflict',
      'This Idempotency-Key was used before with a different body. Send the first body again, or a new key.',
    );
  }
  return row;
}
