import type { Payment, Refund } from '../../scripts/sandbox/records.ts';
import type { Stack } from './stack.ts';

type Known = Pick<Stack, 'sandbox'>;

/** Changes what the sandbox knows of a charge's payments, as no call of its could. */
export function changePayments(
  { sandbox: { store } }: Known,
  { reference }: { reference: string },
  patchOf: (payment: Payment) => Partial<Payment>,
): void {
  for (const payment of store.payment.find(`reference ${reference}`))
    store.payment.change(payment, patchOf(payment));
}

/** The sandbox's account behind a connection. */
export function sandboxAccount({ sandbox: { store } }: Known, connectionId: string) {
  const accounts = store.account.find('all');
  return accounts.find(({ notificationUrl }) => notificationUrl?.endsWith(`/${connectionId}`))!;
}

/** The refunds of a charge's payments, as the sandbox knows them. */
export function sandboxRefunds(
  { sandbox: { store } }: Known,
  { reference }: { reference: string },
): Refund[] {
  const payments = store.payment.find(`reference ${reference}`);
  return payments.flatMap(({ id }) => store.refund.find(`payment ${id}`));
}
