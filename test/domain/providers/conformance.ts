import { useBench } from './conformance/bench.ts';
import { describeCreating } from './conformance/creating.ts';
import { describeDisputing } from './conformance/disputing.ts';
import { describeFailing } from './conformance/failing.ts';
import type { Nature } from './conformance/nature.ts';
import { describeNotifying } from './conformance/notifying.ts';
import { describeRefunding } from './conformance/refunding.ts';
import { describeVerifying } from './conformance/verifying.ts';

/**
 * What the service relies on, whoever the provider is. Run for every adapter against the sandbox
 * that speaks its wire format.
 */
export function describeConformance(nature: Nature): void {
  describe(`${nature.adapter} keeps the promises of every provider`, () => {
    const bench = useBench(nature);
    describeCreating(bench);
    describeVerifying(bench);
    describeRefunding(bench);
    describeDisputing(bench);
    describeFailing(bench);
    describeNotifying(bench);
  });
}
