import { type ChargeRow, checkoutStatusOf } from '../../domain/charge/row.ts';
import { checkoutIdOf, referenceOf } from '../../domain/ids.ts';
import { formatNaira } from '../../domain/money.ts';

/** What the payer's page shows. `preparing` and `confirming` wait, `ready` leads on, the rest are outcomes. */
export type PayState = 'preparing' | 'ready' | 'confirming' | 'held' | 'done' | 'refunded' | 'failed' | 'expired';

export function payState(charge: ChargeRow, url: string | null, returned: boolean): PayState {
  const status = checkoutStatusOf(charge);
  if (status === 'completed') return charge.status === 'refunded' ? 'refunded' : 'done';
  if (status !== 'open') return status;
  if (HELD.some((reason) => charge.review.includes(reason)) && url === null) return 'held';
  if (returned) return 'confirming';
  return url === null ? 'preparing' : 'ready';
}

/** Money came, but a person has to decide about it before the charge can go on. */
const HELD = ['underpaid', 'capture_mismatch'] as const;

interface Words {
  title: string;
  message: string;
  tone: 'good' | 'bad' | 'wait';
  /** What the button says, where there is somewhere to go. */
  button: string;
}

const BACK = 'Back to the merchant';

const words: Record<PayState, Words> = {
  preparing: {
    title: 'Preparing your payment',
    message: 'This takes a moment. You will be taken to the payment page.',
    tone: 'wait',
    button: 'Continue to payment',
  },
  ready: {
    title: 'Taking you to the payment page',
    message: 'You pay on the page of our payment provider.',
    tone: 'wait',
    button: 'Continue to payment',
  },
  confirming: {
    title: 'Waiting for confirmation',
    message: 'If you have paid, you need not do anything: this page changes when your bank confirms. Bank transfers can take some minutes.',
    tone: 'wait',
    button: 'I have not paid yet',
  },
  held: {
    title: 'Your payment needs a look',
    message: 'Money has arrived, but not the amount that was asked. The merchant will be in touch; please do not pay again.',
    tone: 'bad',
    button: BACK,
  },
  done: { title: 'Payment received', message: 'Thank you. The merchant can see your payment.', tone: 'good', button: BACK },
  refunded: { title: 'This payment was refunded', message: 'The money goes back the way it came.', tone: 'good', button: BACK },
  failed: {
    title: 'The payment did not go through',
    message: 'You can ask the merchant for a new checkout.',
    tone: 'bad',
    button: BACK,
  },
  expired: {
    title: 'This checkout has expired',
    message: 'It was not paid in time. You can ask the merchant for a new checkout.',
    tone: 'bad',
    button: BACK,
  },
};

export interface PayPageInput {
  charge: ChargeRow;
  url: string | null;
  merchant: string;
  returned: boolean;
  /** Address of style sheet and script. */
  assets: string;
}

/** Everything the template shows. */
export function payPage({ charge, url, merchant, returned, assets }: PayPageInput) {
  const state = payState(charge, url, returned);
  const { title, message, tone, button } = words[state];
  const isOpen = checkoutStatusOf(charge) === 'open';
  const checkout = checkoutIdOf(charge.id);
  return {
    title,
    message: `${reasonOf(charge)}${message}`,
    tone,
    button,
    state,
    merchant,
    assets,
    script: `${assets}/pay.js`,
    mode: charge.mode,
    amount: formatNaira(charge.amount_kobo),
    description: charge.description,
    reference: referenceOf(charge.number),
    statusUrl: `${assets.replace(/assets$/, checkout)}/status${returned ? '?returned=1' : ''}`,
    next: isOpen ? url : returnUrlOf(charge),
    refreshSeconds: state === 'preparing' || state === 'confirming' ? 3 : null,
  };
}

/** Why a bank declined is the payer's business. Why a provider would not deal with the merchant is not. */
function reasonOf(charge: ChargeRow): string {
  if (charge.status !== 'failed' || charge.failure_cause !== 'declined' || charge.failure_message === null) return '';
  return `The reason given: ${charge.failure_message.replace(/[.\s]+$/, '')}. `;
}

/** The merchant's own page, told the reference and the status; it should ask the API and not believe the address. */
function returnUrlOf(charge: ChargeRow): string | null {
  if (charge.return_url === null) return null;
  const url = new URL(charge.return_url);
  url.searchParams.set('reference', referenceOf(charge.number));
  url.searchParams.set('status', charge.status);
  return url.href;
}
