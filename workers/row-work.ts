import { createBatcher, GATHER_MS } from '../config/batcher.ts';
import type { Context } from '../config/context.ts';
import { createWaitingRows } from '../config/queues/waiting-rows.ts';
import { type DueRow, type QueueSpec, queues } from '../domain/jobs.ts';
import { type ClaimedRow, type SettledRow, settleRows } from '../domain/shared/due-rows.ts';
import { type Ending, endOf, type Settling } from './endings.ts';
import { type JobHandler, type Outcome, snooze } from './job-handler.ts';
import { retryBriefly } from './retry-briefly.ts';
import { createSlots, type Group, type RowEnd, type Slots } from './slots.ts';
import { wakeRows } from './wake-rows.ts';

export interface RowWork {
  context: Context;
  handler: JobHandler;
  slots: Slots;
  settling: Settling;
  /** Resolve when rows in flight have ended and statements under way have answered. */
  underWay: Set<Promise<unknown>>;
}

/** `timeoutMs`: how long the handler may work on a row. */
export function createRowWork(context: Context, handler: JobHandler, timeoutMs: number): RowWork {
  const { queue } = handler;
  const { isWoken = false } = queues[queue] as QueueSpec;
  const underWay: RowWork['underWay'] = new Set();
  const settles = createBatcher(
    async (settled: readonly SettledRow[]) => {
      await retryBriefly(() => settleRows(context.db, queue, settled));
      return settled.map(() => undefined);
    },
    { gatherMs: GATHER_MS },
  );
  const wake = (group: string, rows: readonly DueRow[]) =>
    track(underWay, wakeRows(context, queue, { group, rows }));
  const waiting = isWoken ? createWaitingRows(wake) : undefined;
  return {
    ...{ context, handler, underWay },
    slots: createSlots(queues[queue]),
    settling: { context, queue, settles, timeoutMs, waiting },
  };
}

export function track(underWay: RowWork['underWay'], promise: Promise<unknown>): void {
  const tracked = promise.then(() => void underWay.delete(tracked));
  underWay.add(tracked);
}

export type ClaimedGroupRow = { group: Group; row: ClaimedRow };

/** Returns a promise for the end of each row. `onFree` is called as each slot comes free. */
export function beginRows(work: RowWork, claimed: readonly ClaimedGroupRow[], onFree: () => void) {
  const outcomes = handle(work, claimed);
  return claimed.map(({ group, row }, n) => {
    work.settling.waiting?.forget(row.id);
    let isFree = false;
    const freeOnce = (outcome: Ending['outcome']) => {
      if (isFree) return;
      isFree = true;
      work.slots.release(group, rowEnds[outcome]);
      onFree();
    };
    const handled = outcomes[n]!.then(async (outcome) => {
      if (outcome.recorded) freeOnce(outcome.type);
      await outcome.recorded;
      return outcome;
    });
    const ending = endOf(work.settling, { row, group: group.id, handled });
    track(
      work.underWay,
      ending.then(({ outcome }) => freeOnce(outcome)),
    );
    return ending;
  });
}

const rowEnds: Record<Ending['outcome'], RowEnd> = {
  completed: 'succeeded',
  retry: 'failed',
  discard: 'failed',
  failed: 'failed',
  snooze: 'unknown',
};

function handle({ context, handler, slots }: RowWork, claimed: readonly ClaimedGroupRow[]) {
  const snoozed = rowsOverLimit(slots, claimed);
  const kept = claimed.filter((one) => !snoozed.has(one));
  const rows = kept.map(({ row }) => row);
  const handled = context.tracing.isOn
    ? rows.map((row) => handleTraced(context, handler, row))
    : rows.length > 0
      ? handler.handle(context, rows)
      : [];
  const outcomes = new Map(kept.map((one, n) => [one, handled[n]!]));
  return claimed.map(
    (one) => outcomes.get(one) ?? Promise.resolve(snooze(context.clock(), OVER_LIMIT)),
  );
}

function handleTraced(context: Context, handler: JobHandler, row: ClaimedRow): Promise<Outcome> {
  const span = {
    name: handler.queue,
    ...handler.traceOf?.(row),
    attributes: { row: row.id, try: row.tries },
  };
  return context.tracing.inSpan(span, async (attributes) => {
    const outcome = await handler.handle(context, [row])[0]!;
    attributes.outcome = outcome.type;
    return outcome;
  });
}

const OVER_LIMIT = 'its endpoint fails and has as many requests in flight as it may';

/** Rows of groups on record as failing that hold more slots than they may. */
function rowsOverLimit(slots: Slots, claimed: readonly ClaimedGroupRow[]): Set<ClaimedGroupRow> {
  const found = new Set<ClaimedGroupRow>();
  const byGroup = Map.groupBy(claimed, ({ group }) => group.id);
  for (const rows of byGroup.values()) {
    let freed = 0;
    for (const one of rows.toReversed()) {
      if (!one.row.failing_since || !slots.isOverLimit(one.group, freed)) break;
      found.add(one);
      freed += 1;
    }
  }
  return found;
}
