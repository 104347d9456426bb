import type { Answer, Provider } from '../world.ts';

const notYet: Answer = { status: 503, body: { message: 'Flutterwave is not spoken here yet' } };

/** Flutterwave: known by name, its wire format not yet spoken. */
export const flutterwave: Provider = {
  name: 'flutterwave',
  title: 'Flutterwave',
  slot: 'provider_b',
  credentials: ['secret_key', 'secret_hash'],
  endpoints: [],
  refusals: { unknownKey: notYet, unknownPath: notYet, unreadable: notYet, tooLarge: notYet, rateLimited: notYet, broken: notYet },
  identify: async () => undefined,
  feeKobo: () => 0,
  returnQuery: () => ({}),
  notices: { payment: () => undefined, refund: () => undefined, dispute: () => undefined },
  sign: () => ({}),
};
