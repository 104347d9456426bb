import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import { Member } from './member.ts';

/** One sign-in of a member, with every token that descends from it. */
export const TokenFamily = defineEntity({
  name: 'TokenFamily',
  tableName: 'token_families',
  properties: {
    id: ascii().primary(),
    member_id: () => p.manyToOne(Member).mapToPk(),
    created_at: timestamp(),
    expires_at: timestamp(),
    revoked_at: timestamp().strictNullable(),
  },
  indexes: [
    { name: 'token_families_member', properties: ['member_id'] },
    { name: 'token_families_expiry', properties: ['expires_at'] },
  ],
});

/**
 * An access token is used until it expires, a refresh token once. What a refresh token was
 * exchanged for is stored sealed, so that a repeated exchange gets the same answer.
 */
export const UserToken = defineEntity({
  name: 'UserToken',
  tableName: 'user_tokens',
  properties: {
    sha256: ascii().primary(),
    family_id: () => p.manyToOne(TokenFamily).mapToPk().deleteRule('cascade'),
    kind: p.enum(['access', 'refresh']),
    mode: p.enum(['live', 'test']),
    created_at: timestamp(),
    expires_at: timestamp(),
    used_at: timestamp().strictNullable(),
    successor_sha256: ascii().strictNullable(),
    exchanged_for: p.text().strictNullable(),
  },
  indexes: [
    { name: 'user_tokens_family', properties: ['family_id'] },
    { name: 'user_tokens_expiry', properties: ['expires_at'] },
    {
      name: 'user_tokens_exchanged',
      properties: ['used_at'],
      where: `exchanged_for is not null`,
    },
  ],
});
