import { ofTenant, p, table } from '../../shared/columns.ts';

export const RequestLogEntry = table('request_log', {
  id: p.ascii().primary(),
  ...ofTenant,
  at: p.timestamp(),
  method: p.text(),
  /** Without the query, and without ids that open something. */
  path: p.text(),
  status: p.smallint(),
  duration_ms: p.integer(),
  credential_id: p.ascii(),
  error: p.text().strictNullable(),
  /** JSON without what names a person or opens something, cut where it is long. */
  body: p.text().strictNullable(),
  answer: p.text().strictNullable(),
});
