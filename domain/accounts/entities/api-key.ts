import { p, table } from '../../shared/columns.ts';
import { Tenant } from './tenant.ts';

export const ApiKey = table('api_keys', {
  id: p.ascii().primary(),
  tenant_id: () => p.manyToOne(Tenant).mapToPk(),
  mode: p.enum(['live', 'test']),
  kind: p.enum(['secret', 'public']),
  name: p.text().strictNullable(),
  /** Hash of the whole key, which is stored nowhere. */
  sha256: p.ascii().unique(),
  /** The whole of a public key, which anybody can read in a web page. */
  public_key: p.text().strictNullable(),
  last4: p.text(),
  allowed_origins: p.array().strictNullable(),
  min_amount_kobo: p.kobo().strictNullable(),
  max_amount_kobo: p.kobo().strictNullable(),
  description: p.text().strictNullable(),
  created_at: p.timestamp(),
  /** It was rotated, and works until then. */
  expires_at: p.timestamp().strictNullable(),
  revoked_at: p.timestamp().strictNullable(),
  /** To some minutes. */
  last_used_at: p.timestamp().strictNullable(),
});
