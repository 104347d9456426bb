import { diceOf } from '../local/demo-history/random.ts';
import type { Bench, Measured } from './bench.ts';
import { simulateChecking } from './checking-model.ts';
import { rounded, roundedPercentile } from './figures.ts';

const UNPAID = 100_000;
const UNNOTIFIED = 1_000;
const SEED = 20_260_302;

export const checking: Bench = {
  name: 'checking',
  description:
    'What it costs to watch 100,000 charges that nobody pays, and how soon payments without a notification are found among them',
  about: [
    `${UNPAID} charges a day through one connection, none of them paid: calls for each, those of its own beside, in the four days until nobody asks any more.`,
    `${UNNOTIFIED} payments without a notification among them, and how soon they are found. Busy: the same beside ${UNPAID} payments a day that were notified.`,
    'Simulated by the functions that workers follow, with a provider that answers at once; no budget delays a call.',
  ],
  measure,
};

async function measure(): Promise<Measured> {
  const quiet = figuresOf(0);
  const busy = figuresOf(UNPAID);
  return {
    figures: {
      unpaid_charges: UNPAID,
      calls_per_charge: quiet.callsPerCharge,
      own_calls_per_charge: quiet.ownCallsPerCharge,
      found_p50_seconds: quiet.foundP50,
      found_p99_seconds: quiet.foundP99,
      busy_calls_per_charge: busy.callsPerCharge,
      busy_found_p50_seconds: busy.foundP50,
      busy_found_p99_seconds: busy.foundP99,
    },
  };
}

function figuresOf(notified: number) {
  const { ownCalls, pages, foundSeconds } = simulateChecking({
    unpaid: UNPAID,
    unnotified: UNNOTIFIED,
    notified,
    random: diceOf(SEED).next,
  });
  const charges = UNPAID + UNNOTIFIED;
  return {
    callsPerCharge: rounded((ownCalls + pages + foundSeconds.length) / charges, 2),
    ownCallsPerCharge: rounded(ownCalls / charges, 2),
    foundP50: roundedPercentile(foundSeconds, 50, 1),
    foundP99: roundedPercentile(foundSeconds, 99, 1),
  };
}
