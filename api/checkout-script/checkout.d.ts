/** What `/v1/checkout.js` adds to a web page. */
interface PaymentCheckoutOptions {
  /** A public key, `svc_pk_…`. */
  key: string;
  /** Integer kobo: ₦2,500.00 is 250000. */
  amount_kobo: number;
  /** The customer's e-mail address. */
  email: string;
  name?: string;
  phone?: string;
  /** What the payment is for. The payer sees it. */
  description?: string;
  /** Your own reference; it becomes `merchant_reference`. */
  reference?: string;
  metadata?: Record<string, string | number | boolean | null>;
  /**
   * The payer is sent here where windows are blocked (default: the page). The key lists its origin.
   */
  return_url?: string;
  provider?: 'auto' | 'provider_a' | 'provider_b' | 'provider_c';
  /** The payment was made. Ask the API, or wait for the webhook, before you deliver. */
  onSuccess?: (paid: { reference: string; checkout: string }) => void;
  /**
   * The payment failed or expired, or no checkout could be made. `onSuccess` may still follow where
   * the window was closed during another try.
   */
  onFailure?: (
    failure: { reference: string; status: 'failed' } | { error: PaymentCheckoutError },
  ) => void;
  /** The window was closed and no outcome is known. `onSuccess` or `onFailure` may still follow. */
  onClose?: (closed: { reference: string }) => void;
}

/** The API's refusal, or why it could not be asked. */
interface PaymentCheckoutError {
  code: string;
  message: string;
  /** What is wrong with which field. */
  fields?: Record<string, string>;
}

/** The detail of the `payment-checkout` event of a button or a form. */
type PaymentCheckoutDetail =
  | { status: 'success'; reference: string; checkout: string }
  | { status: 'failed'; reference: string }
  | { status: 'failed'; error: PaymentCheckoutError }
  | { status: 'closed'; reference: string };

declare const PaymentCheckout: {
  /** Call it in a click, so that the browser lets it open a window. */
  readonly open: (options: PaymentCheckoutOptions) => void;
};

interface Window {
  readonly PaymentCheckout: typeof PaymentCheckout;
}

interface HTMLElementEventMap {
  'payment-checkout': CustomEvent<PaymentCheckoutDetail>;
}
