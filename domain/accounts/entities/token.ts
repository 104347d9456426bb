import { p, table } from '../../shared/columns.ts';

export const TokenFamily = table('token_families', {
  id: p.ascii().primary(),
  member_id: p.ascii(),
  created_at: p.timestamp(),
  expires_at: p.timestamp(),
  revoked_at: p.timestamp().strictNullable(),
});

/**
 * A refresh token's successor pair is stored sealed, so that a repeated exchange gets the same
 * answer.
 */
export const UserToken = table('user_tokens', {
  sha256: p.ascii().primary(),
  family_id: p.ascii(),
  kind: p.enum(['access', 'refresh']),
  mode: p.enum(['live', 'test']),
  created_at: p.timestamp(),
  expires_at: p.timestamp(),
  used_at: p.timestamp().strictNullable(),
  successor_sha256: p.ascii().strictNullable(),
  exchanged_for: p.text().strictNullable(),
});
