import type { SealedColumn } from '../shared/sealed-columns.ts';

export const paymentsSealed: readonly SealedColumn[] = [
  {
    table: 'notifications',
    column: 'body',
    key: ['id'],
    owner: {
      row: 'connections.id',
      tenant: 'connections.tenant_id',
      mode: 'connections.mode',
      from: 'join connections on connections.id = notifications.connection_id',
    },
  },
  ...['content', 'file'].map((column) => ({
    table: 'dispute_responses',
    column,
    key: ['id'],
    owner: {
      row: 'dispute_responses.id',
      tenant: 'dispute_responses.tenant_id',
      mode: 'dispute_responses.mode',
    },
  })),
  {
    table: 'evidence',
    column: 'payload',
    key: ['charge_id', 'sha256'],
    owner: {
      row: 'evidence.charge_id',
      tenant: 'charges.tenant_id',
      mode: 'charges.mode',
      from: 'join charges on charges.id = evidence.charge_id',
    },
  },
];
