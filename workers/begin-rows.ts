import type { Context } from '../config/context.ts';
import type { ClaimedRow } from '../domain/shared/due-rows.ts';
import { type Ending, endOf, type Settling } from './endings.ts';
import { type JobHandler, type Outcome, snooze } from './job-handler.ts';
import type { Group, RowEnd, Slots } from './slots.ts';

/** The work on the rows of one queue in one process. */
export interface RowWork {
  context: Context;
  handler: JobHandler;
  slots: Slots;
  settling: Settling;
  /** Resolve when rows in flight have ended and statements under way have answered. */
  underWay: Set<Promise<unknown>>;
  isStopped: boolean;
  /** Claims the next due rows of groups with a backlog, as long as they have slots. */
  pull(): void;
}

export interface ClaimedGroupRow {
  group: Group;
  row: ClaimedRow;
}

/** Begins work on claimed rows, which have a slot each. Returns a promise for the end of each. */
export function begin(work: RowWork, claimed: readonly ClaimedGroupRow[]): Promise<Ending>[] {
  const outcomes = handle(work, claimed);
  return claimed.map(({ group, row }, n) => {
    work.settling.waiting?.forget(row.id);
    let isFree = false;
    const freeOnce = (outcome: Ending['outcome']) => {
      if (!isFree) free(work, group, rowEnds[outcome]);
      isFree = true;
    };
    const handled = outcomes[n]!.then(async (outcome) => {
      if (outcome.recorded) freeOnce(outcome.type);
      await outcome.recorded;
      return outcome;
    });
    const ending = endOf(work.settling, { row, group: group.id, handled });
    const ended = ending.then(({ outcome }) => freeOnce(outcome));
    work.underWay.add(ended);
    void ended.then(() => work.underWay.delete(ended));
    return ending;
  });
}

/** Frees a slot, which the next row of a group with a backlog takes. */
export function free({ slots, pull }: RowWork, group: Group, end: RowEnd): void {
  slots.release(group, end);
  pull();
}

/** What an outcome shows of its group. */
const rowEnds: Record<Ending['outcome'], RowEnd> = {
  completed: 'succeeded',
  retry: 'failed',
  discard: 'failed',
  failed: 'failed',
  snooze: 'unknown',
};

/** Snoozes rows of a failing group over its limit: the claim shows that it fails. */
function handle(
  { context, handler, slots }: RowWork,
  claimed: readonly ClaimedGroupRow[],
): Promise<Outcome>[] {
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

/** Handles a row by itself, in a span of the trace that it belongs to. */
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

/** The last rows of groups that are recorded as failing and hold more slots than they may. */
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
