import { DAY_MS } from '../../domain/shared/units.ts';
import { customersOf, emailOf, HEAVY_EMAIL, type LedgerSize } from './list-rows.ts';

/** One way to ask for a list: its filters' names joined by `+`, and its query. */
export interface ListQuery {
  filters: string;
  query: string;
}

/** How often a round asks for each filter and each pair. */
const ASKED_PER_ROUND = 9;

/**
 * The queries of a round: each filter and each pair as often as any other, in turn, so that a short
 * stall of the machine slows several of them. `turn` chooses which of the many ordinary customers
 * is asked for.
 */
export function roundOf(ledger: LedgerSize, turn: number): ListQuery[] {
  const byFilters = [...Map.groupBy(queriesOf(ledger, turn), ({ filters }) => filters).values()];
  return Array.from({ length: ASKED_PER_ROUND }, (_, time) =>
    byFilters.map((queries) => queries[time % queries.length]!),
  ).flat();
}

/**
 * Every filter and every pair, with values that most charges have, that few have, and that none
 * has, in every combination.
 */
export function queriesOf(ledger: LedgerSize, turn: number): ListQuery[] {
  const values = valuesOf(ledger, turn);
  const names = Object.keys(values) as (keyof typeof values)[];
  const pairs = names.flatMap((one, index) =>
    names.slice(index + 1).map((other) => [one, other] as const),
  );
  const singles = names.map((name) => [name] as const);
  return [...singles, ...pairs].flatMap((used) => combinationsOf(values, used)).filter(isForward);
}

function valuesOf(ledger: LedgerSize, turn: number) {
  const day = (daysAgo: number) =>
    new Date(ledger.end.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  return {
    status: ['settled', 'disputed', 'initiated'],
    provider: ['provider_a', 'provider_c'],
    channel: ['card', 'qr', 'mobile_money'],
    customer: [HEAVY_EMAIL, emailOf((turn * 7_919) % customersOf(ledger)), 'nobody@mail.example'],
    from: [day(366), day(1), day(-2)],
    to: [day(-2), day(364), day(367)],
  };
}

function combinationsOf(
  values: ReturnType<typeof valuesOf>,
  used: readonly (keyof ReturnType<typeof valuesOf>)[],
): ListQuery[] {
  const queries = used.reduce<Record<string, string>[]>(
    (made, name) =>
      made.flatMap((query) => values[name].map((value) => ({ ...query, [name]: value }))),
    [{}],
  );
  return queries.map((query) => ({
    filters: used.join('+'),
    query: new URLSearchParams(query).toString(),
  }));
}

/** Days that run backwards are refused. */
function isForward({ query }: ListQuery): boolean {
  const asked = new URLSearchParams(query);
  const [from, to] = [asked.get('from'), asked.get('to')];
  return from === null || to === null || from <= to;
}
