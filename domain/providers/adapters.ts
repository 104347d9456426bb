import { credentialsForm as flutterwaveCredentials } from './flutterwave/credentials.ts';
import { flutterwave } from './flutterwave.ts';
import { credentialsForm as monnifyCredentials } from './monnify/credentials.ts';
import { monnify } from './monnify.ts';
import { credentialsForm } from './paystack/credentials.ts';
import { paystack } from './paystack.ts';
import type { Adapter } from './provider.ts';

/** Every provider we speak to, by the name a connection stores. */
export const adapters: Record<string, Adapter> = {
  paystack: { open: paystack, credentials: credentialsForm },
  flutterwave: { open: flutterwave, credentials: flutterwaveCredentials },
  monnify: { open: monnify, credentials: monnifyCredentials },
};
