import { describeCreating } from './conformance/creating.ts';
import { describeDisputing } from './conformance/disputing.ts';
import { describeFailing } from './conformance/failing.ts';
import { useFixture } from './conformance/fixture.ts';
import { describeNotifying } from './conformance/notifying.ts';
import { describeRefunding } from './conformance/refunding.ts';
import type { Traits } from './conformance/traits.ts';
import { describeVerifying } from './conformance/verifying.ts';

/** What the service relies on, for every adapter, at the sandbox that speaks its format. */
export function describeConformance(traits: Traits): void {
  describe(`${traits.adapter} keeps the promises of every provider`, () => {
    const fixture = useFixture(traits);
    describeCreating(fixture);
    describeVerifying(fixture);
    describeRefunding(fixture);
    describeDisputing(fixture);
    describeFailing(fixture);
    describeNotifying(fixture);
  });
}
