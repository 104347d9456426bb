import { accountsSealed } from './accounts/sealed-columns.ts';
import { mailSealed } from './mail/sealed-columns.ts';
import { paymentsSealed } from './payments/sealed-columns.ts';
import type { SealedColumn } from './shared/sealed-columns.ts';
import { webhooksSealed } from './webhooks/sealed-columns.ts';

export const sealedColumns: readonly SealedColumn[] = [
  ...accountsSealed,
  ...mailSealed,
  ...webhooksSealed,
  ...paymentsSealed,
];
