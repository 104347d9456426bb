import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import { Tenant } from './tenant.ts';

/** A person of a business. Rows are never deleted: the audit log names them. */
export const Member = defineEntity({
  name: 'Member',
  tableName: 'members',
  properties: {
    id: ascii().primary(),
    tenant_id: () => p.manyToOne(Tenant).mapToPk(),
    email: p.text(),
    name: p.text().strictNullable(),
    role: p.enum(['owner', 'developer', 'viewer']),
    password_hash: p.text().strictNullable(),
    /** Sealed. Asked for at sign-in once `totp_enrolled_at` is set. */
    totp_secret: p.text().strictNullable(),
    totp_enrolled_at: timestamp().strictNullable(),
    /** The time step of the last code that was accepted: no code is accepted twice. */
    totp_step: p.bigint('number').strictNullable(),
    created_at: timestamp(),
    disabled_at: timestamp().strictNullable(),
  },
  indexes: [{ name: 'members_tenant', properties: ['tenant_id', 'id'] }],
  uniques: [
    {
      name: 'members_email',
      expression: `create unique index members_email on members (lower(email), tenant_id)`,
    },
  ],
});

/** What replaces a lost authenticator, each once. */
export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    /** Of the member's id and the code. */
    sha256: ascii().primary(),
    member_id: () => p.manyToOne(Member).mapToPk(),
    created_at: timestamp(),
    used_at: timestamp().strictNullable(),
  },
  indexes: [{ name: 'recovery_codes_member', properties: ['member_id'] }],
});

/** Links with which a member sets a password, known by the SHA-256 of their secret part. */
export const MemberLink = defineEntity({
  name: 'MemberLink',
  tableName: 'member_links',
  properties: {
    sha256: ascii().primary(),
    member_id: () => p.manyToOne(Member).mapToPk(),
    created_at: timestamp(),
    expires_at: timestamp(),
    used_at: timestamp().strictNullable(),
  },
  indexes: [
    { name: 'member_links_member', properties: ['member_id'] },
    { name: 'member_links_expiry', properties: ['expires_at'] },
  ],
});
