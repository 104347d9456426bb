import type { Payment, Refund } from '../../scripts/sandbox/records.ts';
import type { Stack } from './stack.ts';

type Known = Pick<Stack, 'sandbox'>;

export function changePayments(
  { sandbox: { store } }: Known,
  { reference }: { reference: string },
  patchOf: (payment: Payment) => Partial<Payment>,
): void {
  for (const payment of store.payment.find(`reference ${reference}`))
    store.payment.change(payment, patchOf(payment));
}

export function sandboxAccount({ sandbox: { store } }: Known, connectionId: string) {
  const accounts = store.account.find('all');
  return accounts.find(({ notificationUrl }) => notificationUrl?.endsWith(`/${connectionId}`))!;
}

export function sandboxRefunds(
  { sandbox: { store } }: Known,
  { reference }: { reference: string },
): Refund[] {
  const payments = store.payment.find(`reference ${reference}`);
  return payments.flatMap(({ id }) => store.refund.find(`payment ${id}`));
}
