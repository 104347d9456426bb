import { type ChargeRow, checkoutStatusOf } from '../../domain/payments/charge/row.ts';
import { checkoutIdOf, referenceOf } from '../../domain/shared/ids.ts';
import { reportToOpener } from './opener.ts';
import { isWaiting, type PaidFor, type PayState, payState } from './pay-state.ts';
import { wordsOf } from './pay-words.ts';
import { receiptOf } from './receipt.ts';
import { returnUrlOf } from './return-url.ts';
import { type Merchant, summaryOf } from './summary.ts';

export interface PayViewInput extends PaidFor, Merchant {
  linkUrl: string | null;
  returned: boolean;
  assets: string;
  now: Date;
}

/** Longer than a provider usually takes to open a payment. */
const SLOW_MS = 20_000;

/** For so long after the payment the payer is led back without a click. */
const LEADS_BACK_MS = 10 * 60_000;

export function payView(input: PayViewInput) {
  const { charge, linkUrl, merchant, returned, assets, now } = input;
  const state = payState(input, returned);
  const { message, ...words } = wordsOf(state, {
    merchant,
    hasLink: linkUrl !== null,
    hasReturnUrl: charge.return_url !== null,
    isSlow: now.getTime() - charge.created_at.getTime() > SLOW_MS,
  });
  const here = assets.replace(/assets$/, checkoutIdOf(charge.id));
  const next = nextOf(input, state) ?? (state === 'confirming' ? here : null);
  const isRecent = now.getTime() - charge.occurred_at.getTime() < LEADS_BACK_MS;
  return {
    ...summaryOf(charge, input),
    ...words,
    message: `${reasonOf(charge, merchant)}${message}`,
    state,
    assets,
    script: `${assets}/pay.js`,
    reference: referenceOf(charge.number),
    receipt: checkoutStatusOf(charge) === 'completed' ? receiptOf(charge, merchant) : null,
    statusUrl: `${here}/status${returned ? '?returned=1' : ''}`,
    next,
    leadsBack: state === 'done' && next !== null && isRecent,
    report: reportToOpener(charge, state),
    refreshSeconds: isWaiting(state) ? 3 : null,
  };
}

/** The payer's next address: the provider, the merchant, or the payment link to try again. */
function nextOf({ charge, url, linkUrl }: PayViewInput, state: PayState): string | null {
  if (state === 'superseded') return null;
  if (checkoutStatusOf(charge) === 'open') return url;
  const isOver = state === 'failed' || state === 'expired';
  return isOver && linkUrl !== null ? linkUrl : returnUrlOf(charge);
}

/** Why a bank declined or that the merchant cancelled, not why a provider refused the merchant. */
function reasonOf(charge: ChargeRow, merchant: string): string {
  const { status, failure_cause: cause, failure_message: reason } = charge;
  if (status !== 'failed') return '';
  if (cause === 'cancelled') return `${merchant} has cancelled it. `;
  if (cause !== 'declined' || reason === null) return '';
  return `The reason given: ${reason.replace(/[.\s]+$/, '')}. `;
}
