import { ofTenant, p, table } from '../../shared/columns.ts';

/** A request to the API that a credential of the tenant made. */
export const RequestLogEntry = table('request_log', {
  /** The `Request-Id` of the answer. */
  id: p.ascii().primary(),
  ...ofTenant,
  at: p.timestamp(),
  method: p.text(),
  /** Without the query, and without ids that open something. */
  path: p.text(),
  status: p.smallint(),
  duration_ms: p.integer(),
  /** The API key, or the family of tokens. */
  credential_id: p.ascii(),
  /** The code of the error that was answered; null: none. */
  error: p.text().strictNullable(),
});
