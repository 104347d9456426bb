import { type BatcherOptions, createBatcher } from './batcher.ts';

export interface Grouping<Item, Result> {
  /** Returns the results of those items it did. */
  together(items: readonly Item[]): Promise<ReadonlyMap<Item, Result>>;
  /** Does an item by itself: one that was left out, or comes again while its like is done. */
  alone(item: Item): Promise<Result>;
  /** Only the first of items with one name is done together. */
  nameOf?: (item: Item) => string | undefined;
  /** True: where `together` threw this it did nothing, and each item is done by itself. */
  didNothing?: (error: unknown) => boolean;
  options?: BatcherOptions;
}

/** Does together what comes while a group is under way, and alone what fails or waits. */
export function groupCalls<Item extends object, Result>(
  grouping: Grouping<Item, Result>,
): (item: Item) => Promise<Result> {
  const { together, alone, nameOf, didNothing = wasRefused, options } = grouping;
  const calls = createBatcher(async (items: readonly Item[]) => {
    const done = await together(nameOf ? firstOfEach(items, nameOf) : items).catch((error) => {
      if (didNothing(error)) return new Map<Item, Result>();
      throw error;
    });
    // In an object, because the next group does not wait for those that are alone.
    return items.map((item) => ({ result: done.has(item) ? done.get(item)! : alone(item) }));
  }, options);
  return async (item) => (await calls.load(item)).result;
}

/** Bad values, broken constraints, and a deadlock: PostgreSQL wrote nothing. */
function wasRefused(error: unknown): boolean {
  return /^(22|23|40P01)/.test(String((error as { code?: unknown }).code));
}

function firstOfEach<Item>(items: readonly Item[], nameOf: (item: Item) => string | undefined) {
  const seen = new Set<string>();
  return items.filter((item) => {
    const name = nameOf(item);
    if (name === undefined) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}
