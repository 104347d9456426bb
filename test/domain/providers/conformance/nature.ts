import type { Verification } from '../../../../domain/providers/provider.ts';
import type { FixtureOptions } from '../fixture.ts';

/** Where providers rightly differ. */
export interface Nature extends FixtureOptions {
  /** Channels of the sandbox that the adapter can tell apart; others become `other`. */
  channels: readonly string[];
  /** True: a capture says whether it is test or live money. */
  statesMode: boolean;
  /**
   * True: a notification's signature covers its body. False: it is a secret that both sides know.
   */
  signsBody: boolean;
  /** What else than payments its notifications tell of. */
  notifies: ('refund' | 'dispute')[];
  /** What is said of a payment that nobody tried to pay, and of one whose last try was declined. */
  untouched: Verification['state'];
  declined: Verification['state'];
  /** What is said of an untouched payment when its link has ended; null: its links never do. */
  ended: Verification['state'] | null;
  /** True: who was declined may try again under the same reference. */
  paysAfterDecline: boolean;
  /** True: one reference can be paid twice. */
  paysTwice: boolean;
  refunds: {
    /** Channels whose payments can be refunded. */
    channels: readonly string[];
    /** The smallest refund; 1 where there is no other. */
    leastKobo: number;
    /** What is said of one that stands still at the provider. */
    standingStill: 'attention' | 'processing';
    /** True: to verify a payment that was refunded whole says so. */
    toldByVerify: boolean;
  };
  /** True: disputes are told by the API. False: they are entered by hand. */
  tellsDisputes: boolean;
}
