import type { SealedColumn } from '../shared/sealed-columns.ts';

export const accountsSealed: readonly SealedColumn[] = [
  {
    table: 'connections',
    column: 'credentials',
    key: ['id'],
    owner: { row: 'connections.id', tenant: 'connections.tenant_id', mode: 'connections.mode' },
  },
  {
    table: 'members',
    column: 'totp_secret',
    key: ['id'],
    owner: { row: 'members.id', tenant: 'members.tenant_id', mode: "'both'" },
  },
  {
    table: 'user_tokens',
    column: 'exchanged_for',
    key: ['sha256'],
    owner: {
      row: 'user_tokens.sha256',
      tenant: 'members.tenant_id',
      mode: 'user_tokens.mode',
      from: `join token_families on token_families.id = user_tokens.family_id
        join members on members.id = token_families.member_id`,
    },
  },
  {
    table: 'idempotency_keys',
    column: 'answer',
    key: ['tenant_id', 'mode', 'scope', 'key'],
    where: 'idempotency_keys.sealed',
    owner: {
      row: "idempotency_keys.scope || ' ' || idempotency_keys.key",
      tenant: 'idempotency_keys.tenant_id',
      mode: 'idempotency_keys.mode',
    },
  },
];
