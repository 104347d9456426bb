import { inLagos, lagosDay } from '../../shared/lagos.ts';
import type { ListAnswer } from '../http-stream.ts';
import type { Scalars } from '../json-walk.ts';
import type { Page, ProviderSettlement, SpanQuery } from '../payouts.ts';
import { ProviderError } from '../provider.ts';
import { dateOf, plainText, roundedKoboOfNaira } from '../read.ts';
import { errorOf, isGood, isNotFound } from './answers.ts';
import type { Line } from './call.ts';
import { windowSince } from './dates.ts';
import { cursorAfter, isRow, pagesIn, pathOfPage, placeAt } from './pages.ts';
import { isStated } from './transaction.ts';

/** `status` of a settlement → ours. One that is `flagged` waits for a person at Flutterwave. (https://developer.flutterwave.com/docs/settlements) */
const states: Record<string, ProviderSettlement['state']> = {
  completed: 'landed',
  pending: 'pending',
  failed: 'failed',
};

const stage = 'list settlements';

/** Twenty rows make a page. It is read as it comes, because each row holds the ids of all its payments besides. */
const MOST_ROWS = 1_000;
const dates = ['due_date', 'processed_date'];
const amounts = ['net_amount', 'refund', 'chargeback'];
const fields = [
  'id',
  'status',
  'currency',
  'destination',
  'settlement_account',
  ...dates,
  ...amounts,
];
const total = 'meta.page_info.total_pages';

/** Payouts in naira. Those of another currency are the merchant's other business. */
export async function listSettlements(
  line: Line,
  { from, to, cursor }: SpanQuery,
): Promise<Page<ProviderSettlement>> {
  const place = placeAt(cursor);
  const path = pathOfPage('/settlements', windowSince(weekendBefore(from), to), place.page);
  const beside = ['status', 'message', total];
  const answer = await line.list(
    path,
    { list: 'data', fields, beside, skip: 0, most: MOST_ROWS },
    stage,
  );
  const rows = !answer.rows && isNotFound(answer, 'settlement') ? [] : settlementsIn(answer);
  const next = cursorAfter(place, { rows, pages: pagesIn(answer.json[total]) }, stage);
  return { rows: rows.filter(isInNaira).map(readSettlement), next };
}

/** Which of a settlement's days is asked for is not documented: that of its payments may lie before a weekend, and its own behind. */
function weekendBefore(from: Date): Date {
  return inLagos(from).minus({ days: 3 }).toJSDate();
}

function settlementsIn(answer: ListAnswer): Scalars[] {
  if (!isGood(answer)) throw errorOf(answer, stage);
  if (answer.hasMore)
    throw new ProviderError('unknown', stage, `a page of more than ${MOST_ROWS} rows`);
  if (answer.rows?.every(isRow)) return answer.rows;
  throw new ProviderError('unknown', stage, 'the answer holds no list of rows with ids');
}

/** True where no other currency is stated. */
export function isInNaira({ currency }: Scalars): boolean {
  return !isStated(currency) || plainText(currency, 10).toUpperCase() === 'NGN';
}

function readSettlement(row: Scalars): ProviderSettlement {
  const status = plainText(row.status, 50).toLowerCase();
  const state = Object.hasOwn(states, status) ? states[status]! : 'unknown';
  const [dueAt, processedAt] = [dateOf(row.due_date), dateOf(row.processed_date)];
  return {
    providerSettlementId: String(row.id),
    state,
    status,
    amountKobo: isOwed(row.net_amount) ? 0 : amountOf(row, 'net_amount'),
    deductionsKobo: deductionsOf(row),
    dueOn: dueAt && lagosDay(dueAt),
    landedAt: state === 'landed' ? (processedAt ?? dueAt) : null,
    bank: bankOf(row),
  };
}

/** Refunds and chargebacks, each stated for itself. */
function deductionsOf(row: Scalars): number | null {
  const [refundKobo, chargebackKobo] = [amountOf(row, 'refund'), amountOf(row, 'chargeback')];
  return refundKobo === null && chargebackKobo === null
    ? null
    : (refundKobo ?? 0) + (chargebackKobo ?? 0);
}

/** More went back than came in: nothing is sent to a bank. */
function isOwed(netAmount: unknown): boolean {
  return typeof netAmount === 'string' && /^-\d/.test(netAmount);
}

/** What was computed by percentages is rounded, as with payments. */
function amountOf(row: Scalars, field: string): number | null {
  const value = row[field];
  if (!isStated(value)) return null;
  const kobo = roundedKoboOfNaira(value);
  if (kobo !== null) return kobo;
  throw new ProviderError(
    'unknown',
    stage,
    `${field} is no amount: ${plainText(String(value), 50)}`,
  );
}

/** Money for a wallet at Flutterwave goes to no bank. */
function bankOf({ destination, settlement_account: account }: Scalars): ProviderSettlement['bank'] {
  if (destination !== 'account') return null;
  return { name: null, accountLast4: /\d{4}$/.exec(plainText(account, 50))?.[0] ?? null };
}
