import { DateTime } from 'luxon';
import { countOwn } from '../../../domain/accounts/connection/connections.ts';
import { unansweredDisputes } from '../../../domain/payments/dispute/list.ts';
import type { Figures } from '../../../domain/payments/figures/changes.ts';
import { MOST_COUNTED, needsOf } from '../../../domain/payments/figures/needs.ts';
import {
  type DayFigures,
  figuresBetween,
  figuresBySource,
  type SourceFigures,
} from '../../../domain/payments/figures/store.ts';
import { countOpen } from '../../../domain/settlements/discrepancy/count-open.ts';
import { expectedPayouts } from '../../../domain/settlements/settlement/expected.ts';
import { referenceOf } from '../../../domain/shared/ids.ts';
import { formatNaira } from '../../../domain/shared/money.ts';
import { DAY_MS } from '../../../domain/shared/units.ts';
import { countTroubled } from '../../../domain/webhooks/endpoint/find.ts';
import { formatsFor, sentence } from '../format.ts';
import { type DashboardRequest, view } from '../request.ts';
import { slotNames } from '../slot-names.ts';
import { type Point, shareLines, stackedBars } from './charts.ts';
import { firstSteps } from './first-steps.ts';
import { changeInWords, presetsFor, spanOf } from './span.ts';

export const overviewView = view('overview', {
  async load(request) {
    const { context, session, now, query } = request;
    const today = DateTime.fromJSDate(now, { zone: session.timeZone }).toISODate()!;
    const span = spanOf(query, today);
    const [[figures, sources, expected], names, items, steps] = await Promise.all([
      context.read((db) =>
        Promise.all([
          figuresBetween(db, session, span.from, span.to),
          figuresBySource(db, session, span),
          expectedPayouts(db, session),
        ]),
      ),
      slotNames(context, session),
      itemsFor(request),
      firstSteps(request),
    ]);
    const nameOf = (slot: string) => names[slot] ?? sentence(slot);
    const paid = sources.filter(({ channel }) => channel !== 'none');
    return {
      items,
      steps,
      span,
      today,
      presets: presetsFor(today),
      changeInWords,
      ...comparedOf(sources),
      days: span.days.length,
      isEmpty: figures.length === 0,
      table: figures.toReversed().map((row) => ({ ...row, provider: nameOf(row.slot) })),
      groups: [
        { title: 'Provider', rows: comparedBy(sources, ({ slot }) => nameOf(slot)) },
        { title: 'Channel', rows: comparedBy(paid, ({ channel }) => sentence(channel)) },
      ],
      expected,
      ...(figures.length > 0 ? chartsOf(span.days, figures, nameOf) : {}),
    };
  },
});

interface Totals {
  collected_kobo: number;
  fee_kobo: number;
  net_kobo: number;
  refunded_kobo: number;
  succeeded: number;
  /** From 0 to 1; null where nothing was paid or failed. */
  successRate: number | null;
}

/** Of a span, and of the one before. */
function comparedOf(sources: readonly SourceFigures[]): { totals: Totals; before: Totals } {
  const [now, before] = [false, true].map((isBefore) =>
    totalsOf(sources.filter((source) => source.is_before === isBefore)),
  );
  return { totals: now!, before: before! };
}

function comparedBy(sources: readonly SourceFigures[], nameOf: (of: SourceFigures) => string) {
  const groups = [...Map.groupBy(sources, nameOf)];
  return groups.map(([name, ofGroup]) => ({ name, ...comparedOf(ofGroup) }));
}

function totalsOf(figures: readonly Figures[]): Totals {
  const sum = (name: keyof Figures) => figures.reduce((total, row) => total + row[name], 0);
  const [succeeded, failed] = [sum('succeeded'), sum('failed')];
  const [collected, fee, refunded] = [sum('collected_kobo'), sum('fee_kobo'), sum('refunded_kobo')];
  return {
    collected_kobo: collected,
    fee_kobo: fee,
    net_kobo: collected - fee - refunded,
    refunded_kobo: refunded,
    succeeded,
    successRate: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
  };
}

function chartsOf(
  days: readonly string[],
  figures: readonly DayFigures[],
  nameOf: (slot: string) => string,
) {
  const slots = [...new Set(figures.map(({ slot }) => slot))];
  const found = new Map(figures.map((row) => [`${row.day} ${row.slot}`, row]));
  const collected: Point[] = days.flatMap((day) =>
    slots.map((slot) => {
      const kobo = found.get(`${day} ${slot}`)?.collected_kobo ?? 0;
      const text = `${day}, ${nameOf(slot)}: ${formatNaira(kobo)}`;
      return { day, series: nameOf(slot), value: kobo / 100, text };
    }),
  );
  const rates: Point[] = figures.flatMap(({ day, slot, succeeded, failed }) => {
    if (succeeded + failed <= 0) return [];
    const value = succeeded / (succeeded + failed);
    const text = `${day}, ${nameOf(slot)}: ${Math.round(value * 100)} %`;
    return [{ day, series: nameOf(slot), value, text }];
  });
  return {
    collectedChart: stackedBars({
      points: collected,
      days,
      description: 'Collected by day and provider, in naira',
    }),
    successChart: shareLines({
      points: rates,
      days,
      description: 'Success rate by day and provider',
    }),
  };
}

type Item = { text: string; path: string };

async function itemsFor({ context, session, now, may }: DashboardRequest): Promise<Item[]> {
  const soon = { from: now, to: new Date(now.getTime() + SOON_MS), limit: MOST_NAMED };
  const [needs, discrepancies, endpoints, disputes] = await context.read((db) =>
    Promise.all([
      needsOf(db, session),
      countOpen(db, session, MOST_COUNTED),
      may('develop') ? countTroubled(db, session) : 0,
      unansweredDisputes(db, session, soon),
    ]),
  );
  const open = context.openBreakers();
  const silent = open.length === 0 ? 0 : await countOwn(context.db, session, open);
  const items: [count: number, one: string, many: string, rest: string, path: string][] = [
    [needs.refunds_requested, 'refund waits', 'refunds wait', 'for an Owner', '/refunds'],
    [
      needs.refunds_needing_attention,
      ...(['refund needs', 'refunds need', 'help', '/refunds?status=processing'] as const),
    ],
    [needs.reviews_open, 'review waits', 'reviews wait', 'for a decision', '/reviews'],
    [discrepancies, 'discrepancy is', 'discrepancies are', 'open', '/discrepancies?status=open'],
    [needs.disputes_open, 'dispute is', 'disputes are', 'open', '/disputes'],
    [endpoints, 'webhook endpoint is', 'webhook endpoints are', 'in trouble', '/developers'],
    [
      needs.connections_refused,
      ...(['provider refuses', 'providers refuse', 'its credentials', '/providers'] as const),
    ],
    [silent, 'provider does', 'providers do', 'not answer', '/providers'],
  ];
  const { time } = formatsFor(session.timeZone);
  const deadlines = disputes.map(({ id, amount_kobo: kobo, number, respond_by: until }) => ({
    text: `Answer the dispute about ${formatNaira(kobo)} of ${referenceOf(number)} by ${time(until)}`,
    path: `/disputes/${id}`,
  }));
  const counted = items.flatMap(([count, one, many, rest, path]) => {
    if (count === 0) return [];
    const shown = count >= MOST_COUNTED ? `${MOST_COUNTED} or more` : String(count);
    return [{ text: `${shown} ${count === 1 ? one : many} ${rest}`, path }];
  });
  return [...deadlines, ...counted];
}

/** Nigerian banks give a day or two. */
const SOON_MS = 3 * DAY_MS;
const MOST_NAMED = 3;
