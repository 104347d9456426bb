import { type Business, receiptOf } from '../../domain/payments/charge/receipt.ts';
import { type ChargeRow, checkoutStatusOf } from '../../domain/payments/charge/row.ts';
import { checkoutIdOf, referenceOf } from '../../domain/shared/ids.ts';
import { reportToOpener } from './opener.ts';
import { isWaiting, type PaidFor, type PayState, payState } from './pay-state.ts';
import { wordsOf } from './pay-words.ts';
import { returnUrlOf } from './return-url.ts';
import { type Merchant, summaryOf } from './summary.ts';

export interface PayViewInput extends PaidFor, Merchant, Business {
  linkUrl: string | null;
  begunAt: Date;
  /** Another payment may be opened after a decline. */
  isRetryable: boolean;
  returned: boolean;
  assets: string;
  now: Date;
}

/** Longer than a provider usually takes to open a payment. */
const SLOW_MS = 20_000;

/** For so long after the payment the payer is led back without a click. */
const LEADS_BACK_MS = 10 * 60_000;

export function payView(input: PayViewInput) {
  const { charge, linkUrl, merchant, isRetryable, returned, assets, now } = input;
  const state = payState(input, returned);
  const { message, ...words } = wordsOf(state, {
    merchant,
    isRetryable,
    hasLink: linkUrl !== null,
    hasReturnUrl: charge.return_url !== null,
    isSlow: now.getTime() - input.begunAt.getTime() > SLOW_MS,
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
    receipt: checkoutStatusOf(charge) === 'completed' ? receiptOf(charge, input) : null,
    statusUrl: `${here}/status${returned ? '?returned=1' : ''}`,
    next,
    retryUrl: isRetryable ? here : null,
    leadsBack: state === 'done' && next !== null && isRecent,
    // A window in which the payer may try again stays open, and its opener asks once it is closed.
    report: isRetryable ? null : reportToOpener(charge, state),
    refreshSeconds: isWaiting(state) ? 3 : null,
  };
}

/** The payer's next address: the provider, the merchant, or the payment link to start again. */
function nextOf(
  { charge, url, linkUrl, isRetryable }: PayViewInput,
  state: PayState,
): string | null {
  if (state === 'superseded') return null;
  if (charge.retrying || checkoutStatusOf(charge) === 'open') return url;
  const isOver = state === 'failed' || state === 'expired';
  return isOver && !isRetryable && linkUrl !== null ? linkUrl : returnUrlOf(charge);
}

/** Why a bank declined or that the merchant cancelled, not why a provider refused the merchant. */
function reasonOf(charge: ChargeRow, merchant: string): string {
  const { status, failure_cause: cause, failure_message: reason } = charge;
  if (status !== 'failed' || charge.retrying) return '';
  if (cause === 'cancelled') return `${merchant} has cancelled it. `;
  if (cause !== 'declined' || reason === null) return '';
  return `The reason given: ${reason.replace(/[.\s]+$/, '')}. `;
}
