import type { Sql } from '../../domain/shared/sql.ts';
import { SetupError } from '../setup-error.ts';

/** Throws a `SetupError` where the role bounds no statements, which behind a pooler it must. */
export async function requireRoleLimits(sql: Sql): Promise<void> {
  const names = ['statement_timeout', 'idle_in_transaction_session_timeout'];
  const unlimited = await sql.query<{ name: string }>(
    `select name from unnest($1::text[]) name where current_setting(name) = '0'`,
    [names],
  );
  if (unlimited.length === 0) return;
  throw new SetupError(
    `Behind a pooler the role must bound its statements: run \`alter role … set ${unlimited[0]!.name} = '10s'\`.`,
  );
}
