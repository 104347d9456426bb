import { describeCreating } from './conformance/creating.ts';
import { describeDisputing } from './conformance/disputing.ts';
import { useFixture } from './conformance/fixture.ts';
import { describeRefunding } from './conformance/refunding.ts';
import { describeSettling } from './conformance/settling.ts';
import type { Traits } from './conformance/traits.ts';
import { describeVerifying } from './conformance/verifying.ts';

const channels = ['card', 'bank_transfer', 'ussd', 'qr', 'mobile_money'];

const adapters: Traits[] = [
  {
    ...{ adapter: 'paystack', channels, statesMode: true, paysAfterDecline: true },
    ...{ untouched: 'unpaid', declined: 'declined', linksEnd: false },
    refunds: { channels, leastKobo: 1, seenByVerify: true },
  },
  {
    ...{ adapter: 'flutterwave', channels, statesMode: false, paysAfterDecline: true },
    ...{ untouched: 'absent', declined: 'retrying', linksEnd: true },
    refunds: { channels, leastKobo: 1, seenByVerify: false },
  },
  {
    ...{ adapter: 'monnify', channels: ['card', 'bank_transfer', 'ussd'], statesMode: false },
    ...{ paysAfterDecline: false, untouched: 'unpaid', declined: 'declined', linksEnd: true },
    refunds: { channels: ['bank_transfer'], leastKobo: 10_000, seenByVerify: true },
  },
];

/** What the service relies on, for every adapter, at the sandbox that speaks its format. */
for (const traits of adapters)
  describe(`${traits.adapter} keeps the promises of every provider`, () => {
    const fixture = useFixture(traits);
    describeCreating(fixture);
    describeVerifying(fixture);
    describeRefunding(fixture);
    describeDisputing(fixture);
    describeSettling(fixture);
  });
