import { randomBytes } from 'node:crypto';
import { describeConformance } from '../conformance.ts';

describeConformance({
  adapter: 'paystack',
  newCredentials: () => ({ secret_key: `sk_test_${randomBytes(20).toString('hex')}` }),
  declinesAtOnce: true,
  channels: ['card', 'bank_transfer', 'ussd', 'qr', 'mobile_money'],
});
