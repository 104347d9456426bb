import { randomBytes } from 'node:crypto';
import { describeConformance } from '../conformance.ts';

const channels = ['card', 'bank_transfer', 'ussd', 'qr', 'mobile_money'];

describeConformance({
  adapter: 'paystack',
  newCredentials: () => ({ secret_key: `sk_test_${randomBytes(20).toString('hex')}` }),
  channels,
  statesMode: true,
  signsBody: true,
  statesWait: true,
  notifies: ['refund', 'dispute'],
  untouched: 'unpaid',
  declined: 'declined',
  ended: null,
  paysAfterDecline: true,
  paysTwice: false,
  refunds: { channels, leastKobo: 1, needingAttention: 'attention', seenByVerify: true },
});
