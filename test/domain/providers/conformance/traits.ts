import type { Verification } from '../../../../domain/providers/port/payment.ts';
import type { ProviderName } from '../../../scripts/sandbox/fixture.ts';

export interface Traits {
  adapter: ProviderName;
  /** Channels of the sandbox that the adapter can tell apart; others become `other`. */
  channels: readonly string[];
  /** True: a capture says whether it is test or live money. */
  statesMode: boolean;
  /** The state of a payment that nobody tried to pay, and of one whose last try was declined. */
  untouched: Verification['state'];
  declined: Verification['state'];
  /** True: links expire. */
  linksEnd: boolean;
  paysAfterDecline: boolean;
  refunds: {
    channels: readonly string[];
    leastKobo: number;
    /** True: verifying a fully refunded payment says so. */
    seenByVerify: boolean;
  };
}
