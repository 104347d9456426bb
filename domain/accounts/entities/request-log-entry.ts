import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import type { Mode } from '../../shared/reader.ts';

/** A request to the API that a credential of the tenant made. */
export const RequestLogEntry = defineEntity({
  name: 'RequestLogEntry',
  tableName: 'request_log',
  properties: {
    /** The `Request-Id` of the answer. */
    id: ascii().primary(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>(),
    at: timestamp(),
    method: p.text(),
    /** Without the query, and without ids that open something. */
    path: p.text(),
    status: p.smallint(),
    duration_ms: p.integer(),
    /** The API key, or the family of tokens. */
    credential_id: ascii(),
    /** The code of the error that was answered; null: none. */
    error: p.text().strictNullable(),
  },
  indexes: [
    { name: 'request_log_tenant', properties: ['tenant_id', 'mode', 'id'] },
    {
      name: 'request_log_refused',
      properties: ['tenant_id', 'mode', 'id'],
      where: 'status >= 400',
    },
  ],
});
