import { p, table } from '../../shared/columns.ts';
import { memberRoles } from '../roles.ts';
import { Tenant } from './tenant.ts';

/** Never deleted: the audit log names them. */
export const Member = table('members', {
  id: p.ascii().primary(),
  tenant_id: () => p.manyToOne(Tenant).mapToPk(),
  email: p.text(),
  name: p.text().strictNullable(),
  role: p.enum(memberRoles),
  password_hash: p.text().strictNullable(),
  /** Sealed. */
  totp_secret: p.text().strictNullable(),
  totp_enrolled_at: p.timestamp().strictNullable(),
  /** The step of the last accepted code: no code is accepted twice. */
  totp_step: p.bigint().strictNullable(),
  created_at: p.timestamp(),
  disabled_at: p.timestamp().strictNullable(),
});

export const RecoveryCode = table('recovery_codes', {
  sha256: p.ascii().primary(),
  member_id: p.ascii(),
  created_at: p.timestamp(),
  used_at: p.timestamp().strictNullable(),
});

/** Links with which a member sets a password. */
export const MemberLink = table('member_links', {
  sha256: p.ascii().primary(),
  member_id: () => p.manyToOne(Member).mapToPk(),
  created_at: p.timestamp(),
  expires_at: p.timestamp(),
  used_at: p.timestamp().strictNullable(),
});
