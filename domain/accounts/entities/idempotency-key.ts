import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import { FIELDS_ERASED, ofPayer } from '../../shared/payer-data.ts';
import type { Mode } from '../../shared/reader.ts';

/** Not partitioned by day: a key must stay unique over its whole seven days, midnight included. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    tenant_id: ascii().primary(),
    mode: p.text().$type<Mode>().primary(),
    scope: p.text().primary(),
    key: p.text().primary(),
    body_sha256: p.text(),
    status: p.smallint(),
    /** Null: it showed a secret, and its day is over. */
    answer: ofPayer(p.text().strictNullable(), FIELDS_ERASED),
    /** An answer that shows a secret is stored sealed, and for a day only. */
    sealed: p.boolean().default(false),
    created_at: timestamp(),
  },
  indexes: [
    { name: 'idempotency_keys_age', properties: ['created_at'] },
    { name: 'idempotency_keys_sealed', properties: ['created_at'], where: `sealed` },
  ],
});
