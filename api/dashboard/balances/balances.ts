import { DateTime } from 'luxon';
import { providersBySlot } from '../../../domain/accounts/connection/connections.ts';
import { type Balance, balancesAt, signOf } from '../../../domain/journal/balances.ts';
import { accounts, postingTypes } from '../../../domain/journal/entities/posting.ts';
import { totalOfEntries } from '../../../domain/journal/entries.ts';
import type { Account } from '../../../domain/journal/moved.ts';
import { debitedBefore } from '../../../domain/journal/running-totals.ts';
import { formatNaira } from '../../../domain/shared/money.ts';
import { invalid } from '../../../domain/shared/problems.ts';
import type { Slot } from '../../../domain/shared/slot.ts';
import { formats } from '../../http/formats.ts';
import { accountNames } from '../../statements/account-names.ts';
import { sentence } from '../format.ts';
import {
  csvHref,
  type Filter,
  filledFields,
  listed,
  partsOf,
  queryReader,
  withoutWrong,
} from '../lists.ts';
import { stackedBars } from '../overview/charts.ts';
import { type DashboardRequest, view } from '../request.ts';
import { entriesQuery, listEntries, wantedBy } from './list-entries.ts';

const DAYS = 30;

export const balancesView = view('balances', {
  async load({ context, session, now, query }) {
    const today = DateTime.fromJSDate(now, { zone: session.timeZone });
    const { read: last, ...list } = await withoutWrong(
      filledFields(query, ['at']),
      async (filter) => lastDay(filter.at, today),
    );
    const days = Array.from({ length: DAYS }, (_, n) => last.minus({ days: DAYS - 1 - n }));
    const ends = days.map((day) => day.plus({ days: 1 }).toJSDate());
    const [balances, history, providers] = await Promise.all([
      context.read((db) => balancesAt(db, session, ends.at(-1)!)),
      context.read((db) => debitedBefore(db, session, 'at_provider', ends)),
      providersBySlot(context.db, session),
    ]);
    const nameOf = (slot: Slot) => sentence(providers[slot] ?? slot);
    return {
      balances: balances.map(([slot, balance]) => ({
        slot,
        parts: sidesOf(balance),
        differencesKobo: balance.differences,
        onTheWayKobo: balance.at_provider,
      })),
      accountNames,
      ...list,
      filterParts: partsOf(['at']),
      days: DAYS,
      ...(balances.length > 0 ? chartOf(days, history, nameOf) : {}),
    };
  },
});

const cameIn: readonly Account[] = ['collected', 'payers', 'other_business'];
const whereItWent: readonly Account[] = [
  ...(['bank', 'at_provider', 'held_by_dispute', 'fees', 'refunds'] as const),
  ...(['disputes_lost', 'differences', 'written_off'] as const),
];
/** Most businesses have none. */
const shownIfAny: readonly Account[] = ['other_business', 'written_off'];

/** Both parts add up to the same. */
function sidesOf(balance: Balance) {
  const part = (title: string, accounts: readonly Account[]) => {
    const rows = accounts.map((account) => ({ account, kobo: balance[account] }));
    return {
      title,
      rows: rows.filter(({ account, kobo }) => kobo !== 0 || !shownIfAny.includes(account)),
      kobo: rows.reduce((sum, { kobo }) => sum + kobo, 0),
    };
  };
  return [part('Came in', cameIn), part('Where it went', whereItWent)];
}

/** Throws 422 for what is no day. */
function lastDay(at: Filter[string] | undefined, now: DateTime): DateTime {
  if (at === undefined) return now.startOf('day');
  if (typeof at !== 'string' || !formats.date!.isValid(at))
    throw invalid({ at: formats.date!.rule });
  return DateTime.fromISO(at, { zone: now.zone });
}

function chartOf(
  days: readonly DateTime[],
  history: readonly { slot: Slot; kobo: number }[][],
  nameOf: (slot: Slot) => string,
) {
  const rows = days.flatMap((day, n) =>
    history[n]!.map(({ slot, kobo }) => ({ day: day.toISODate()!, slot, kobo })),
  );
  const chart = stackedBars({
    points: rows.map(({ day, slot, kobo }) => ({
      ...{ day, series: nameOf(slot), value: kobo / 100 },
      text: `${day}, ${nameOf(slot)}: ${formatNaira(kobo)}`,
    })),
    days: days.map((day) => day.toISODate()!),
    description: 'On the way to the bank by day and provider, in naira',
  });
  return { chart, table: rows.toReversed() };
}

export const entryFilters = ['account', 'provider', 'type', 'from', 'to'];

export const entriesView = view('balances', {
  path: '/balances/transactions',
  title: 'Balance transactions',
  template: 'balances/entries',
  async load(request) {
    const { rows, ...list } = await listed(request, listEntries, {
      filters: entryFilters,
      defaults: { account: 'at_provider' },
    });
    return {
      entries: rows,
      ...list,
      csvHref: csvHref(request, list.filter),
      total: await totalOf(request, list.filter),
      accountNames,
      choices: { accounts, types: postingTypes },
    };
  },
});

const readQuery = queryReader(entriesQuery);

function totalOf({ context, session }: DashboardRequest, filter: Filter) {
  const query = readQuery(filter);
  return context.read(async (db) => {
    const wanted = await wantedBy(db, session, query);
    const total = await totalOfEntries(db, session, wanted);
    return { ...total, amountKobo: signOf(wanted.account) * total.amountKobo };
  });
}
