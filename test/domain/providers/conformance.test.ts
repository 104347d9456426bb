import { describeCreating } from './conformance/creating.ts';
import { describeDisputing } from './conformance/disputing.ts';
import { useFixture } from './conformance/fixture.ts';
import { describeNotifying } from './conformance/notifying.ts';
import { describeRefunding } from './conformance/refunding.ts';
import { describeSettling } from './conformance/settling.ts';
import type { Traits } from './conformance/traits.ts';
import { describeVerifying } from './conformance/verifying.ts';

const channels = ['card', 'bank_transfer', 'ussd', 'qr', 'mobile_money'];

const adapters: Traits[] = [
  {
    ...{ adapter: 'paystack', channels, statesMode: true, paysAfterDecline: true },
    ...{ notifies: ['refund', 'dispute'], untouched: 'unpaid', declined: 'declined', ended: null },
    refunds: { channels, leastKobo: 1, needingAttention: 'attention', seenByVerify: true },
  },
  {
    ...{ adapter: 'flutterwave', channels, statesMode: false, paysAfterDecline: true },
    ...{ notifies: [], untouched: 'absent', declined: 'retrying', ended: 'absent' },
    refunds: { channels, leastKobo: 1, needingAttention: 'processing', seenByVerify: false },
  },
  {
    ...{ adapter: 'monnify', channels: ['card', 'bank_transfer', 'ussd'], statesMode: false },
    ...{ paysAfterDecline: false, notifies: ['refund'] },
    ...{ untouched: 'unpaid', declined: 'declined', ended: 'ended' },
    refunds: {
      ...{ channels: ['bank_transfer'], leastKobo: 10_000 },
      ...{ needingAttention: 'processing', seenByVerify: true },
    },
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
    describeNotifying(fixture);
    describeSettling(fixture);
  });
