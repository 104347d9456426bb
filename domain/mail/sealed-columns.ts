import type { SealedColumn } from '../shared/sealed-columns.ts';

export const mailSealed: readonly SealedColumn[] = [
  {
    table: 'mails',
    column: 'token',
    key: ['id'],
    owner: { row: 'mails.id', tenant: 'mails.tenant_id', mode: "'both'" },
  },
];
