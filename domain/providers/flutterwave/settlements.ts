import { inLagos, lagosDay } from '../../shared/lagos.ts';
import { cursorAfter, positionAt } from '../cursor.ts';
import type { ListAnswer } from '../http-stream.ts';
import type { Scalars } from '../json-walk.ts';
import { ProviderError } from '../provider-error.ts';
import { dateOf, isStated, plainText, roundedKoboOfNaira, stateIn } from '../read.ts';
import type {
  LinesQuery,
  Page,
  ProviderSettlement,
  SettlementLine,
  SpanQuery,
} from '../settlements.ts';
import { lineOf, statedAs } from '../unclear.ts';
import { errorOf, isGood, isNotFound } from './answers.ts';
import type { Client } from './client.ts';
import { countIn, isRow, pageRead, pathOfPage } from './pages.ts';
import { idOf, windowSince } from './wire.ts';

/**
 * `status` of a settlement → ours. A `flagged` one waits for a person at Flutterwave.
 * (https://developer.flutterwave.com/docs/settlements)
 */
const states: Record<string, ProviderSettlement['state']> = {
  completed: 'landed',
  pending: 'pending',
  failed: 'failed',
};

const listStage = 'list settlements';

/**
 * A page has twenty rows. It is streamed because each row also holds the ids of all its payments.
 */
const MOST_ROWS = 1_000;
const settlementFields = [
  'id',
  'status',
  'currency',
  'destination',
  'settlement_account',
  'due_date',
  'processed_date',
  'net_amount',
  'refund',
  'chargeback',
];
const total = 'meta.page_info.total_pages';

/** Settlements in naira. Those in another currency are the merchant's other business. */
export async function listSettlements(
  client: Client,
  { from, to, cursor }: SpanQuery,
): Promise<Page<ProviderSettlement>> {
  const position = positionAt(cursor, 1, listStage);
  const { page } = position;
  const path = pathOfPage('/settlements', windowSince(weekendBefore(from), to), page);
  const beside = ['status', 'message', total];
  const answer = await client.list(
    path,
    { list: 'data', fields: settlementFields, beside, skip: 0, most: MOST_ROWS },
    listStage,
  );
  const rows = !answer.rows && isNotFound(answer, 'settlement') ? [] : settlementsIn(answer);
  const read = pageRead({ rows, pages: countIn(answer.json[total]) }, page);
  const next = cursorAfter(position, read, listStage);
  return { rows: rows.filter(isInNaira).map(readSettlement), next };
}

/** Which date the query compares is undocumented: payments may be from before the weekend. */
function weekendBefore(from: Date): Date {
  return inLagos(from).minus({ days: 3 }).toJSDate();
}

function settlementsIn(answer: ListAnswer): Scalars[] {
  if (!isGood(answer)) throw errorOf(answer, listStage);
  if (answer.hasMore)
    throw new ProviderError('unknown', listStage, `a page of more than ${MOST_ROWS} rows`);
  if (answer.rows?.every(isRow)) return answer.rows;
  throw new ProviderError('unknown', listStage, 'the answer holds no list of rows with ids');
}

/** True where no other currency is stated. */
function isInNaira({ currency }: Scalars): boolean {
  return !isStated(currency) || plainText(currency, 10).toUpperCase() === 'NGN';
}

function readSettlement(row: Scalars): ProviderSettlement {
  const status = plainText(row.status, 50).toLowerCase();
  const state = stateIn(states, status);
  const [dueAt, processedAt] = [dateOf(row.due_date), dateOf(row.processed_date)];
  return {
    providerSettlementId: String(row.id),
    status,
    ...statedAs(state, () => ({
      amountKobo: isOwed(row.net_amount) ? 0 : amountOf(row, 'net_amount'),
      deductionsKobo: deductionsOf(row),
    })),
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

/** Refunds exceed payments: nothing is sent to a bank. */
function isOwed(netAmount: unknown): boolean {
  return typeof netAmount === 'string' && /^-\d/.test(netAmount);
}

/** Amounts computed by percentages are rounded, as with payments. */
function amountOf(row: Scalars, field: string): number | null {
  const value = row[field];
  if (!isStated(value)) return null;
  const kobo = roundedKoboOfNaira(value);
  if (kobo !== null) return kobo;
  throw new ProviderError(
    'unknown',
    listStage,
    `${field} is no amount: ${plainText(String(value), 50)}`,
  );
}

/** Settlements to a wallet at Flutterwave go to no bank. */
function bankOf({ destination, settlement_account: account }: Scalars): ProviderSettlement['bank'] {
  if (destination !== 'account') return null;
  return { name: null, accountLast4: /\d{4}$/.exec(plainText(account, 50))?.[0] ?? null };
}

const linesStage = 'list lines';

/** The most lines that one call returns. */
export const MOST_LINES = 10_000;

const lineFields = [
  'id',
  'tx_ref',
  'currency',
  'charged_amount',
  'app_fee',
  'merchant_fee',
  'stampduty_charge',
  'settlement_amount',
];

/**
 * The payments of a settlement, from the line number in the cursor on. Flutterwave sends them all
 * in one answer without pages: it is read no further than the lines that are returned.
 */
export async function listLines(
  client: Client,
  { providerSettlementId: id, cursor }: LinesQuery,
): Promise<Page<SettlementLine>> {
  const skip = Number(cursor ?? 0);
  const wanted = {
    list: 'data.transactions',
    fields: lineFields,
    beside: ['status', 'message', 'data.id'],
    skip,
    most: MOST_LINES,
  };
  const answer = await client.list(`/settlements/${encodeURIComponent(id)}`, wanted, linesStage);
  const rows = transactionsIn(answer, id);
  if (rows.length === 0 && skip > 0)
    throw new ProviderError(
      'unknown',
      linesStage,
      `the list ends before line ${skip}, and went on before`,
    );
  return { rows: rows.map(readLine), next: answer.hasMore ? String(skip + rows.length) : null };
}

function transactionsIn(answer: ListAnswer, id: string): Scalars[] {
  if (!isGood(answer)) throw errorOf(answer, linesStage);
  if (!answer.rows)
    throw new ProviderError('unknown', linesStage, 'the answer holds no list of transactions');
  if (answer.json['data.id'] === id) return answer.rows;
  throw new ProviderError('unknown', linesStage, 'asked for one settlement, the answer is another');
}

/**
 * Amount minus fee is what Flutterwave says it settles, to the kobo. The amount is what the payer
 * paid: it includes a fee that the payer bore, and so does the fee.
 */
function readLine(row: Scalars): SettlementLine {
  const named = { providerPaymentId: idOf(row, linesStage), reference: plainText(row.tx_ref) };
  return lineOf(named, () => lineAmountsOf(row));
}

function lineAmountsOf(row: Scalars): Pick<SettlementLine, 'amountKobo' | 'feeKobo'> {
  if (!isInNaira(row))
    throw new ProviderError('unknown', linesStage, 'a payment of a settlement is not in naira');
  const amountKobo = roundedKoboOfNaira(row.charged_amount);
  const settledKobo = isStated(row.settlement_amount)
    ? roundedKoboOfNaira(row.settlement_amount)
    : undefined;
  if (amountKobo === null || settledKobo === null || (settledKobo ?? 0) > amountKobo)
    throw new ProviderError('unknown', linesStage, 'a line does not say plainly how much');
  const feeKobo = settledKobo === undefined ? lineFeeOf(row) : amountKobo - settledKobo;
  return { amountKobo, feeKobo };
}

/**
 * Flutterwave's fee with stamp duty, and the merchant's own; null while the first is not stated.
 */
function lineFeeOf(row: Scalars): number | null {
  const appKobo = roundedKoboOfNaira(row.app_fee);
  if (appKobo === null) return null;
  return (
    appKobo +
    (roundedKoboOfNaira(row.merchant_fee) ?? 0) +
    (roundedKoboOfNaira(row.stampduty_charge) ?? 0)
  );
}
