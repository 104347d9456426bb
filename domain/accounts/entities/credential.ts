import { defineEntity, p } from '@mikro-orm/core';
import { ascii, kobo, timestamp } from '../../shared/columns.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Role } from '../roles.ts';

/**
 * Every credential that is valid now, of either kind. Statements that do the work join on it, so
 * that a revocation, a disabled member or a changed role holds from the next statement on. The
 * reader checks expiry: it has the clock.
 */
export const Credential = defineEntity({
  name: 'Credential',
  tableName: 'credentials',
  view: true,
  expression: `
    select sha256, tenant_id, mode, kind as role, id as subject_id, null as member_id,
      allowed_origins, min_amount_kobo, max_amount_kobo, description,
      null::timestamptz as expires_at
    from api_keys where revoked_at is null
    union all
    select t.sha256, m.tenant_id, t.mode, m.role, f.id, m.id, null, null, null, null,
      t.expires_at
    from user_tokens t
      join token_families f on f.id = t.family_id
      join members m on m.id = f.member_id
    where t.kind = 'access' and f.revoked_at is null and m.disabled_at is null`,
  properties: {
    sha256: ascii().primary(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>(),
    role: p.text().$type<Role>(),
    subject_id: ascii(),
    member_id: ascii().strictNullable(),
    allowed_origins: p.array().strictNullable(),
    min_amount_kobo: kobo().strictNullable(),
    max_amount_kobo: kobo().strictNullable(),
    description: p.text().strictNullable(),
    expires_at: timestamp().strictNullable(),
  },
});
