import type { RowOf } from '../../shared/columns.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Credential } from '../entities/credential.ts';

export type CredentialRow = Pick<
  RowOf<typeof Credential>,
  'tenant_id' | 'mode' | 'role' | 'subject_id' | 'member_id' | 'allowed_origins'
>;

export async function findCredential(
  sql: Sql,
  sha256: string,
  now: Date,
): Promise<CredentialRow | undefined> {
  const [row] = await sql.query<CredentialRow>(
    `select tenant_id, mode, role, subject_id, member_id, allowed_origins from credentials
     where sha256 = $1 and (expires_at is null or expires_at > $2)`,
    [sha256, now],
  );
  return row;
}
