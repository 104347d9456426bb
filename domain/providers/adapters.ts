import { credentialsForm as flutterwaveCredentials } from './flutterwave/credentials.ts';
import { payoutTerms as flutterwavePayoutTerms } from './flutterwave/payout-terms.ts';
import { flutterwave } from './flutterwave.ts';
import { credentialsForm as monnifyCredentials } from './monnify/credentials.ts';
import { payoutTerms as monnifyPayoutTerms } from './monnify/payout-terms.ts';
import { monnify } from './monnify.ts';
import { credentialsForm } from './paystack/credentials.ts';
import { payoutTerms } from './paystack/payout-terms.ts';
import { paystack } from './paystack.ts';
import type { Adapter } from './provider.ts';

/** Every provider we speak to, by the name a connection stores. */
export const adapters: Record<string, Adapter> = {
  paystack: { open: paystack, credentials: credentialsForm, payouts: payoutTerms },
  flutterwave: {
    open: flutterwave,
    credentials: flutterwaveCredentials,
    payouts: flutterwavePayoutTerms,
  },
  monnify: { open: monnify, credentials: monnifyCredentials, payouts: monnifyPayoutTerms },
};
