import { p, table } from '../../shared/columns.ts';
import { FIELDS_ERASED, ofPayer } from '../../shared/payer-data.ts';

export const IdempotencyKey = table('idempotency_keys', {
  tenant_id: p.ascii().primary(),
  mode: p.mode().primary(),
  scope: p.text().primary(),
  key: p.text().primary(),
  body_sha256: p.text(),
  status: p.smallint(),
  /** Null: it showed a secret, and its day is over. */
  answer: ofPayer(p.text().strictNullable(), FIELDS_ERASED),
  sealed: p.boolean(),
  created_at: p.timestamp(),
});
