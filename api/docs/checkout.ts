import { checkoutScript, cspLinesFor, declarations } from '../checkout-script/script-files.ts';

const CALL = `pay.addEventListener('click', () => {
  PaymentCheckout.open({
    key: 'svc_pk_test_…',
    amount_kobo: 250000,
    email: 'ada@example.com',
    description: 'Two bags of rice',
    reference: 'order-1042',
    onSuccess: ({ reference, checkout }) => {},
    onFailure: ({ reference, status, error }) => {},
    onClose: ({ reference }) => {},
  });
});`;

const BUTTON = `<button data-payment-checkout
  data-key="svc_pk_test_…"
  data-amount-kobo="250000"
  data-email="ada@example.com"
  data-return-url="/thanks">Pay ₦2,500.00</button>`;

const FORM = `<form data-payment-checkout
  data-key="svc_pk_test_…" data-amount-kobo="250000">
  <label>E-mail <input name="email" type="email" required></label>
  <button>Pay ₦2,500.00</button>
</form>`;

const EVENT = `document.addEventListener('payment-checkout', ({ target, detail }) => {
  // detail.status is 'success', 'failed' or 'closed'
});`;

export function checkoutShown(publicUrl: string, basePath: string) {
  const pinned = `${publicUrl}/v1${checkoutScript.path}`;
  return {
    load: `<script src="${publicUrl}/v1/checkout.js"></script>`,
    pinned: `<script src="${pinned}"\n  integrity="${checkoutScript.integrity}"\n  crossorigin="anonymous"></script>`,
    call: CALL,
    button: BUTTON,
    form: FORM,
    event: EVENT,
    policy: cspLinesFor(publicUrl).join(';\n'),
    declarations,
    script: `${basePath}/v1${checkoutScript.path}`,
    integrity: checkoutScript.integrity,
  };
}
