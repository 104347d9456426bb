import type { QueueSpec } from '../domain/jobs.ts';

export interface Group {
  id: string;
  /** Set where the provider's slots are bounded too. */
  provider?: string | undefined;
}

export type Share = { group: Group; count: number };

export type RowEnd = 'succeeded' | 'failed' | 'unknown';

/** Groups with the first turn get slots before the others. */
export type Turn = 'first' | 'later';

/**
 * The slots of a queue in a process. No group or provider holds more than its share, so that a slow
 * one delays itself only. Groups with a backlog get free slots in turn.
 */
export interface Slots {
  room(group: Group): number;
  /** The last row decides how many slots a failing group has. */
  release(group: Group, end: RowEnd, count?: number): void;
  /**
   * True: a group on record as failing holds more slots than it may, without `freed` of them. What
   * this process saw while something was in flight takes precedence.
   */
  isOverLimit(group: Group, freed: number): boolean;
  /** Records that the group has due rows without a slot: behind the others of its turn. */
  addBacklog(group: Group, turn: Turn): void;
  hasBacklog(): boolean;
  isWaiting(group: string): boolean;
  /** Groups take turns. Their backlog is then no longer known. */
  takeForBacklog(): Share[];
  isIdle(): boolean;
}

type Limits = Pick<
  QueueSpec,
  'concurrency' | 'maxPerGroup' | 'maxPerFailingGroup' | 'maxPerProvider'
>;

type GroupState = { inFlight: number; isFailing: boolean | undefined };

export function createSlots(limits: Limits): Slots {
  const { concurrency, maxPerGroup, maxPerFailingGroup = maxPerGroup } = limits;
  const { maxPerProvider = concurrency } = limits;
  const groups = new Map<string, GroupState>();
  const byProvider = new Map<string, number>();
  /** Groups in the order of their turns. */
  const first = new Map<string, Group>();
  const later = new Map<string, Group>();
  let inFlight = 0;

  const stateOf = ({ id }: Group): GroupState => {
    const state = groups.get(id) ?? { inFlight: 0, isFailing: undefined };
    groups.set(id, state);
    return state;
  };
  const forget = ({ id }: Group) => {
    if (groups.get(id)?.inFlight === 0 && !isWaiting(id)) groups.delete(id);
  };
  const limitOf = ({ isFailing }: GroupState) => (isFailing ? maxPerFailingGroup : maxPerGroup);
  const addToProvider = ({ provider }: Group, count: number) => {
    if (provider !== undefined) byProvider.set(provider, inFlightAt(provider) + count);
  };
  const inFlightAt = (provider: string) => byProvider.get(provider) ?? 0;
  const freeFor = (state: GroupState, { provider }: Group) =>
    Math.min(
      concurrency - inFlight,
      limitOf(state) - state.inFlight,
      provider === undefined ? concurrency : maxPerProvider - inFlightAt(provider),
    );
  const isWaiting = (id: string) => first.has(id) || later.has(id);
  const hasBacklog = () => first.size + later.size > 0;
  const take = (group: Group, wanted: number): number => {
    const state = stateOf(group);
    const count = Math.max(0, Math.min(wanted, freeFor(state, group)));
    state.inFlight += count;
    inFlight += count;
    addToProvider(group, count);
    forget(group);
    return count;
  };
  return {
    room: (group) =>
      Math.max(0, freeFor(groups.get(group.id) ?? { inFlight: 0, isFailing: undefined }, group)),
    release(group, end, count = 1) {
      const state = stateOf(group);
      state.inFlight -= count;
      inFlight -= count;
      addToProvider(group, -count);
      if (end !== 'unknown') state.isFailing = end === 'failed';
      forget(group);
    },
    isOverLimit(group, freed) {
      const state = stateOf(group);
      state.isFailing ??= true;
      return state.inFlight - freed > limitOf(state);
    },
    addBacklog(group, turn) {
      stateOf(group);
      if (first.has(group.id)) return;
      if (turn === 'first') later.delete(group.id);
      const backlog = turn === 'first' ? first : later;
      if (!backlog.has(group.id)) backlog.set(group.id, group);
    },
    hasBacklog,
    isWaiting,
    takeForBacklog() {
      const each = Math.max(1, Math.floor((concurrency - inFlight) / (first.size + later.size)));
      const shares: Share[] = [];
      for (const backlog of [first, later])
        for (const group of backlog.values()) {
          if (inFlight >= concurrency) return shares;
          const count = take(group, each);
          if (count === 0) continue;
          shares.push({ group, count });
          backlog.delete(group.id);
        }
      return shares;
    },
    isIdle: () => inFlight === 0 && !hasBacklog(),
  };
}
