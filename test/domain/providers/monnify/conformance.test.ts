import { randomBytes, randomInt } from 'node:crypto';
import { describeConformance } from '../conformance.ts';

describeConformance({
  adapter: 'monnify',
  newCredentials: () => ({
    api_key: `MK_TEST_${randomBytes(5).toString('hex').toUpperCase()}`,
    secret_key: randomBytes(16).toString('hex').toUpperCase(),
    contract_code: String(randomInt(1_000_000_000, 9_999_999_999)),
  }),
  channels: ['card', 'bank_transfer', 'ussd'],
  statesMode: false,
  signsBody: true,
  statesWait: true,
  notifies: ['refund'],
  untouched: 'unpaid',
  declined: 'declined',
  ended: 'ended',
  paysAfterDecline: false,
  paysTwice: false,
  refunds: {
    channels: ['bank_transfer'],
    leastKobo: 10_000,
    needingAttention: 'processing',
    seenByVerify: true,
  },
});
