import type { KnownCapture, ProviderPayment } from './records.ts';

/** Whether a capture is of this payment: told by its id where tries share a reference. */
export function isOf(capture: KnownCapture, payment: ProviderPayment): boolean {
  return (
    capture.connectionId === payment.connectionId &&
    capture.attemptReference === payment.reference &&
    (payment.isAlone || capture.providerPaymentId === String(payment.id))
  );
}
