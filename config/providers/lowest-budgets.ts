import { MINUTE_MS } from '../../domain/shared/units.ts';
import type { Standing } from '../limits/limit-window.ts';
import type { CallTarget } from '../observability/metrics.ts';

export interface LowestBudgets {
  learn(target: CallTarget, standing: Pick<Standing, 'limit' | 'remaining'>): void;
  /** The share of the connection with the least left, in this minute or the last one. */
  read(): [CallTarget, number][];
}

type Lowest = { target: CallTarget; minute: number; ofMinute: number; ofLastMinute: number };

/** Budgets are per minute, so what was left two minutes ago says nothing. */
export function createLowestBudgets(clock: () => Date): LowestBudgets {
  const known = new Map<string, Lowest>();
  const current = (target: CallTarget): Lowest => {
    const key = `${target.provider} ${target.mode}`;
    const minute = Math.floor(clock().getTime() / MINUTE_MS);
    const found = known.get(key);
    if (found?.minute === minute) return found;
    const ofLastMinute = found?.minute === minute - 1 ? found.ofMinute : 1;
    const begun = { target, minute, ofMinute: 1, ofLastMinute };
    known.set(key, begun);
    return begun;
  };
  return {
    learn(target, { limit, remaining }) {
      const lowest = current(target);
      lowest.ofMinute = Math.min(lowest.ofMinute, remaining / limit);
    },
    read: () =>
      [...known.values()].map(({ target }) => {
        const { ofMinute, ofLastMinute } = current(target);
        return [target, Math.min(ofMinute, ofLastMinute)];
      }),
  };
}
