/** What must not happen, each counted by itself. */
export const countNames = [
  'lost_charges',
  'duplicate_charges',
  'lost_payments',
  'duplicate_provider_charges',
  'lost_events',
  'duplicate_events',
  'lost_refunds',
  'refund_overpaid',
  'wrong_state',
  'stuck',
] as const;
export type CountName = (typeof countNames)[number];

export interface Finding {
  count: CountName;
  what: string;
}

/** A finding for each row of which something is wrong: `say` says what. */
export function each<Row>(
  rows: Iterable<Row>,
  count: CountName,
  say: (row: Row) => string | false | undefined,
): Finding[] {
  return [...rows].flatMap((row) => {
    const what = say(row);
    return what ? [{ count, what }] : [];
  });
}

export function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
