import { randomBytes } from 'node:crypto';
import { describeConformance } from '../conformance.ts';

const channels = ['card', 'bank_transfer', 'ussd', 'qr', 'mobile_money'];

describeConformance({
  adapter: 'flutterwave',
  newCredentials: () => ({
    secret_key: `FLWSECK_TEST-${randomBytes(16).toString('hex')}-X`,
    secret_hash: randomBytes(16).toString('hex'),
  }),
  channels,
  statesMode: false,
  signsBody: false,
  statesWait: false,
  notifies: [],
  untouched: 'absent',
  declined: 'retrying',
  ended: 'absent',
  paysAfterDecline: true,
  paysTwice: true,
  refunds: { channels, leastKobo: 1, needingAttention: 'processing', seenByVerify: false },
});
