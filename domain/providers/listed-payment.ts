import type { ProviderCapture } from './capture.ts';
import type { Verification } from './provider.ts';
import { ifClear } from './read.ts';
import type { ListedPayment } from './settlements.ts';

/** A row of an account's list of payments, as its adapter finds it. */
export interface PaymentRow {
  providerPaymentId: string | null;
  reference: string;
  status: string;
  state: Verification['state'];
  isReversed: boolean;
  /** Reads the rest; it may throw. */
  capture: () => ProviderCapture;
}

/** The payments of a page that are worth asking about. What cannot be read is left out. */
export function listedPayments(rows: readonly PaymentRow[]): ListedPayment[] {
  return rows
    .filter(({ status, state }) => state === 'paid' || (state === 'unknown' && status !== ''))
    .filter(({ providerPaymentId, reference }) => providerPaymentId !== null || reference !== '')
    .map(({ providerPaymentId, reference, state, isReversed, capture }) => {
      const read = ifClear(capture);
      return {
        providerPaymentId,
        reference,
        isPaid: state === 'paid',
        ...(isReversed && { isReversed }),
        amountKobo: read?.amountKobo ?? null,
        at: read?.capturedAt ?? read?.createdAt ?? null,
      };
    });
}
