import type { PayState } from './pay-state.ts';

export interface Words {
  title: string;
  message: string;
  note?: string;
  tone: 'good' | 'bad' | 'wait';
  button: string;
}

export interface Situation {
  merchant: string;
  /** A declined payment may be tried again here. */
  isRetryable: boolean;
  hasLink: boolean;
  hasReturnUrl: boolean;
  /** The payment page takes longer than usual to prepare. */
  isSlow: boolean;
}

export function wordsOf(state: PayState, situation: Situation): Words {
  const { merchant, isRetryable, hasLink, hasReturnUrl, isSlow } = situation;
  const back = `Back to ${merchant}`;
  const next = hasReturnUrl
    ? `You can go back to ${merchant} and try again.`
    : `You can ask ${merchant} for a new payment link.`;
  const words: Record<PayState, Words> = {
    preparing: {
      title: 'Preparing your payment',
      message: isSlow
        ? 'This takes longer than usual. Keep this page open, or come back to it later.'
        : 'This takes a moment. You will be taken to the payment page.',
      tone: 'wait',
      button: 'Continue to payment',
    },
    ready: {
      title: 'Your payment is ready',
      message: 'You pay on the secure page of our payment provider, and come back here.',
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
        `${merchant} has cancelled it. If you have paid already, you need not do anything: ` +
        'this page changes when your bank confirms.',
      tone: 'wait',
      button: back,
    },
    on_hold: {
      title: 'Your payment needs a look',
      message:
        'Money has arrived, but not the amount that was asked. Please do not pay again: ' +
        `${merchant} decides what happens with it, and will be in touch.`,
      tone: 'bad',
      button: back,
    },
    superseded: {
      title: 'This has been paid',
      message: `Another payment for the same has reached ${merchant}. Please do not pay again.`,
      tone: 'good',
      button: back,
    },
    done: {
      title: 'Payment received',
      message: `Thank you. ${merchant} can see your payment.`,
      tone: 'good',
      button: back,
    },
    refunded: {
      title: 'This payment was refunded',
      message: 'The money goes back the way it came. Banks can take some days to show it.',
      tone: 'good',
      button: back,
    },
    failed: {
      title: 'The payment did not go through',
      message: isRetryable ? TRY_AGAIN : hasLink ? 'You can start again.' : next,
      note: LATE,
      tone: 'bad',
      button: hasLink && !isRetryable ? 'Start again' : back,
    },
    expired: {
      title: 'This checkout has expired',
      message: `It was not paid in time. ${hasLink ? 'You can start again.' : next}`,
      note: LATE,
      tone: 'bad',
      button: hasLink ? 'Start again' : back,
    },
  };
  return words[state];
}

const TRY_AGAIN = 'You can try again here, with another card or in another way.';

const LATE =
  'If money has left your account all the same, it is not lost: ' +
  'look at this page again before you pay another time.';
