import { type ChargeRow, checkoutStatusOf } from '../../domain/charge/row.ts';
import { checkoutIdOf, referenceOf } from '../../domain/ids.ts';
import { formatNaira } from '../../domain/money.ts';

/** What the payer's page shows. `preparing` and `confirming` wait, `ready` leads on, the rest are outcomes. */
export type PayState = 'preparing' | 'ready' | 'confirming' | 'done' | 'failed' | 'unpaid';

export function payState(charge: ChargeRow, url: string | null, returned: boolean): PayState {
  const status = checkoutStatusOf(charge);
  if (status === 'completed') return 'done';
  if (status === 'failed') return 'failed';
  if (status === 'expired') return 'unpaid';
  if (returned) return 'confirming';
  return url === null ? 'preparing' : 'ready';
}

interface Words {
  title: string;
  message: string;
  tone: 'good' | 'bad' | 'calm';
}

const words: Record<PayState, Words> = {
  preparing: { title: 'Preparing your payment', message: 'This takes a moment. You will be taken to the payment page.', tone: 'calm' },
  ready: { title: 'Taking you to the payment page', message: 'You pay on the page of our payment provider.', tone: 'calm' },
  confirming: {
    title: 'Waiting for confirmation',
    message: 'If you have paid, you need not do anything: this page changes when your bank confirms. Bank transfers can take some minutes.',
    tone: 'calm',
  },
  done: { title: 'Payment received', message: 'Thank you. The merchant has been told.', tone: 'good' },
  failed: { title: 'The payment did not go through', message: 'You can ask the merchant for a new payment link.', tone: 'bad' },
  unpaid: { title: 'This checkout has expired', message: 'It was not paid in time. Ask the merchant for a new one.', tone: 'bad' },
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
  const isOpen = state === 'preparing' || state === 'ready' || state === 'confirming';
  const checkout = checkoutIdOf(charge.id);
  return {
    ...words[state],
    message: state === 'failed' && charge.failure_message ? `${charge.failure_message} ${words.failed.message}` : words[state].message,
    state,
    merchant,
    assets,
    mode: charge.mode,
    amount: formatNaira(charge.amount_kobo),
    description: charge.description,
    reference: referenceOf(charge.number),
    statusUrl: `${assets.replace(/assets$/, checkout)}/status${returned ? '?returned=1' : ''}`,
    next: isOpen ? url : returnUrlOf(charge),
    nextLabel: isOpen ? (state === 'confirming' ? 'I have not paid yet' : 'Continue to payment') : 'Back to the merchant',
    refreshSeconds: state === 'preparing' || state === 'confirming' ? 3 : null,
  };
}

/** The merchant's own page, told the reference and the status; it should ask the API and not believe the address. */
function returnUrlOf(charge: ChargeRow): string | null {
  if (charge.return_url === null) return null;
  const url = new URL(charge.return_url);
  url.searchParams.set('reference', referenceOf(charge.number));
  url.searchParams.set('status', charge.status);
  return url.href;
}
