import type { Verification } from '../../../../domain/providers/port/payment.ts';
import type { FixtureOptions } from '../fixture.ts';

/** Where providers may differ. */
export interface Traits extends FixtureOptions {
  /** Channels of the sandbox that the adapter can tell apart; others become `other`. */
  channels: readonly string[];
  /** True: a capture says whether it is test or live money. */
  statesMode: boolean;
  /**
   * True: a notification's signature covers its body. False: it is a secret that both sides know.
   */
  signsBody: boolean;
  /** True: where it limits calls, it says for how long. */
  statesWait: boolean;
  /** What its notifications are about, besides payments. */
  notifies: ('refund' | 'dispute')[];
  /** The state of a payment that nobody tried to pay, and of one whose last try was declined. */
  untouched: Verification['state'];
  declined: Verification['state'];
  /** The state of an untouched payment whose link has expired; null: links never expire. */
  ended: Verification['state'] | null;
  /** True: a declined payer may try again under the same reference. */
  paysAfterDecline: boolean;
  /** True: one reference can be paid twice. */
  paysTwice: boolean;
  refunds: {
    /** Channels whose payments can be refunded. */
    channels: readonly string[];
    /** The smallest refund; 1 where there is no other. */
    leastKobo: number;
    /** The state of a refund that needs attention at the provider. */
    needingAttention: 'attention' | 'processing';
    /** True: verifying a fully refunded payment says so. */
    seenByVerify: boolean;
  };
}
