import { p, table } from '../../shared/columns.ts';
import type { Role } from '../roles.ts';

/**
 * Every valid credential. Statements that do the work join on it, so that a revocation or a changed
 * role holds from the next statement on. The reader, who has the clock, checks expiry.
 */
export const Credential = table('credentials', {
  sha256: p.ascii().primary(),
  tenant_id: p.ascii(),
  mode: p.mode(),
  role: p.text().$type<Role>(),
  subject_id: p.ascii(),
  member_id: p.ascii().strictNullable(),
  allowed_origins: p.array().strictNullable(),
  min_amount_kobo: p.kobo().strictNullable(),
  max_amount_kobo: p.kobo().strictNullable(),
  description: p.text().strictNullable(),
  expires_at: p.timestamp().strictNullable(),
});
