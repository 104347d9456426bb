import type { Answer, Provider } from '../world.ts';

const notYet: Answer = { status: 503, body: { message: 'Monnify is not spoken here yet' } };

/** Monnify: known by name, its wire format not yet spoken. */
export const monnify: Provider = {
  name: 'monnify',
  title: 'Monnify',
  slot: 'provider_c',
  credentials: ['api_key', 'secret_key', 'contract_code'],
  endpoints: [],
  refusals: { unknownKey: notYet, unknownPath: notYet, unreadable: notYet, tooLarge: notYet, rateLimited: notYet, broken: notYet },
  identify: async () => undefined,
  feeKobo: () => 0,
  returnQuery: () => ({}),
  notices: { payment: () => undefined, refund: () => undefined, dispute: () => undefined },
  sign: () => ({}),
};
