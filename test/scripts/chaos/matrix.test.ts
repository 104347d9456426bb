import { expect } from 'chai';
import { countNames } from '../../../scripts/chaos/findings.ts';
import { withMatrix } from '../../../scripts/chaos/matrix.ts';
import type { ChaosResult } from '../../../scripts/chaos/report.ts';

const nothing = Object.fromEntries(countNames.map((name) => [name, 0]));

function resultOf(
  seed: number,
  faults: Record<string, ChaosResult['faults'][string]>,
  lostEvents = 0,
): ChaosResult {
  const run = { ...nothing, seed, seconds: 60 * seed, charges: 100, payments: 90, refunds: 9 };
  const figures = { events: 95, recovery_p99_ms: 1, unnotified_recovery_p99_ms: null };
  return {
    ...{ ...run, ...figures, lost_events: lostEvents, settled_after_ms: 1, findings: [], faults },
  } as unknown as ChaosResult;
}

const kind = (
  p99Ms: number | null,
  unnotifiedMs: number | null,
): ChaosResult['faults'][string] => ({
  ...{ count: 2, payments: 5, recovery_p50_ms: p99Ms, recovery_p99_ms: p99Ms },
  ...{ unnotified_payments: 1, unnotified_recovery_p99_ms: unnotifiedMs },
});

describe('The matrix of chaos runs', () => {
  it('adds the runs up, and shows the worst recovery of each fault', () => {
    const results = [
      resultOf(1, { cut: kind(400, null), 'kill -9': kind(1_000, 3_000) }),
      resultOf(2, { 'kill -9': kind(2_040, null) }, 3),
    ];
    expect(withMatrix('before\n<!-- chaos -->\nold\n<!-- /chaos -->\nafter', results)).to.equal(
      `before
<!-- chaos -->
Seeds 1, 2: 2 runs of 60 to 120 s, 200 charges.

| Fault | Times | Lost, doubled, stuck | Payments | p99 | Unnotified | p99 |
|---|--:|--:|--:|--:|--:|--:|
| cut | 2 | 0 | 5 | 0.4 s | 1 |  |
| kill -9 | 4 | 3 | 10 | 2.0 s | 2 | 3.0 s |
<!-- /chaos -->
after`,
    );
  });
});
