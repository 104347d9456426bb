import { type ChargeRow, checkoutStatusOf } from '../../domain/payments/charge/row.ts';
import { checkoutIdOf, referenceOf } from '../../domain/shared/ids.ts';
import { formatNaira } from '../../domain/shared/money.ts';

/** States in which the view waits for the next one. */
const waiting = ['preparing', 'confirming', 'closing'] as const;

/** `ready` redirects to the provider, the rest are outcomes. */
export type PayState =
  | (typeof waiting)[number]
  | 'ready'
  | 'on_hold'
  | 'superseded'
  | 'done'
  | 'refunded'
  | 'failed'
  | 'expired';

/** A charge with what else its view shows. */
export interface PaidFor {
  charge: ChargeRow;
  /** The provider's payment page, once there is one that takes money. */
  url: string | null;
  /** Another charge that paid the payment link of this one; null: none. */
  linkPaidBy: string | null;
}

export function payState({ charge, url, linkPaidBy }: PaidFor, returned: boolean): PayState {
  const status = checkoutStatusOf(charge);
  if (status === 'completed') return charge.status === 'refunded' ? 'refunded' : 'done';
  if (status !== 'open') return status;
  if (linkPaidBy !== null) return 'superseded';
  if (ON_HOLD.some((reason) => charge.review.includes(reason)) && url === null) return 'on_hold';
  if (charge.cancel_requested_at !== null) return 'closing';
  if (returned) return 'confirming';
  return url === null ? 'preparing' : 'ready';
}

/** Reviews that a person has to decide before the charge can succeed. */
const ON_HOLD = ['underpaid', 'capture_mismatch'] as const;

interface Words {
  title: string;
  message: string;
  tone: 'good' | 'bad' | 'wait';
  /** The label of the button, where the view has one. */
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
    message:
      'If you have paid, you need not do anything: this page changes when your bank confirms. ' +
      'Bank transfers can take some minutes.',
    tone: 'wait',
    button: 'I have not paid yet',
  },
  closing: {
    title: 'This checkout is being closed',
    message:
      'The merchant has cancelled it. If you have paid already, you need not do anything: ' +
      'this page changes when your bank confirms.',
    tone: 'wait',
    button: BACK,
  },
  on_hold: {
    title: 'Your payment needs a look',
    message:
      'Money has arrived, but not the amount that was asked. ' +
      'The merchant will be in touch; please do not pay again.',
    tone: 'bad',
    button: BACK,
  },
  superseded: {
    title: 'This has been paid',
    message: 'Another payment for the same has reached the merchant. Please do not pay again.',
    tone: 'good',
    button: BACK,
  },
  done: {
    title: 'Payment received',
    message: 'Thank you. The merchant can see your payment.',
    tone: 'good',
    button: BACK,
  },
  refunded: {
    title: 'This payment was refunded',
    message: 'The money goes back the way it came.',
    tone: 'good',
    button: BACK,
  },
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

/** After a failure the payment link can be used again, by the same payer and by others. */
const again: Partial<Record<PayState, Pick<Words, 'message' | 'button'>>> = {
  failed: { message: 'You can try again.', button: 'Try again' },
  expired: { message: 'It was not paid in time. You can start again.', button: 'Start again' },
};

export interface PayViewInput extends PaidFor {
  /** The address of the payment link of the charge; null: it has none. */
  linkUrl: string | null;
  merchant: string;
  returned: boolean;
  /** Address of style sheet and script. */
  assets: string;
}

/** Everything the template shows. */
export function payView(input: PayViewInput) {
  const { charge, linkUrl, merchant, returned, assets } = input;
  const state = payState(input, returned);
  const { title, message, tone, button } = {
    ...words[state],
    ...(linkUrl !== null && again[state]),
  };
  const here = assets.replace(/assets$/, checkoutIdOf(charge.id));
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
    statusUrl: `${here}/status${returned ? '?returned=1' : ''}`,
    next: nextOf(input, state) ?? (state === 'confirming' ? here : null),
    refreshSeconds: (waiting as readonly PayState[]).includes(state) ? 3 : null,
  };
}

/** The payer's next address: the provider, the merchant, or the payment link to try again. */
function nextOf({ charge, url, linkUrl }: PayViewInput, state: PayState): string | null {
  if (state === 'superseded') return null;
  if (checkoutStatusOf(charge) === 'open') return url;
  return state in again && linkUrl !== null ? linkUrl : returnUrlOf(charge);
}

/**
 * The payer sees why a bank declined, and that the merchant cancelled, but not why a provider
 * refused the merchant.
 */
function reasonOf(charge: ChargeRow): string {
  if (charge.status === 'failed' && charge.failure_cause === 'cancelled')
    return 'The merchant has cancelled it. ';
  if (
    charge.status !== 'failed' ||
    charge.failure_cause !== 'declined' ||
    charge.failure_message === null
  )
    return '';
  return `The reason given: ${charge.failure_message.replace(/[.\s]+$/, '')}. `;
}

/**
 * The merchant's return address with the reference and the status added. The merchant's page should
 * ask the API, because anybody can type an address.
 */
function returnUrlOf(charge: ChargeRow): string | null {
  if (charge.return_url === null) return null;
  const url = new URL(charge.return_url);
  url.searchParams.set('reference', referenceOf(charge.number));
  url.searchParams.set('status', charge.status);
  return url.href;
}
