import { inLagos, lagosDay } from '../../shared/lagos.ts';
import { errorOf, isGood } from '../adapter/answers.ts';
import type { ListClient } from '../adapter/client.ts';
import type { ListAnswer } from '../adapter/list-answer.ts';
import { readPageAt } from '../adapter/lists.ts';
import type { Answer } from '../adapter/open.ts';
import {
  dateOf,
  idOf,
  isNaira,
  isObject,
  isStated,
  numericId,
  plainText,
  type Row,
  roundedKoboOfNaira,
  stateIn,
  UnclearError,
  wordOf,
} from '../adapter/read.ts';
import { lineOf, statedAs } from '../adapter/settlements.ts';
import type { ProviderSettlement, SettlementLine } from '../port/settlement.ts';
import { answerForm, listOf } from './answers.ts';
import { feeOf, windowSince } from './wire.ts';

/** A `flagged` one waits for a person. (https://developer.flutterwave.com/docs/settlements) */
const states: Record<string, ProviderSettlement['state']> = {
  completed: 'landed',
  pending: 'pending',
  failed: 'failed',
};

const settlementFields = [
  ...['id', 'status', 'currency', 'destination', 'settlement_account'],
  ...['due_date', 'processed_date', 'net_amount', 'refund', 'chargeback'],
];

/**
 * Other currencies are the merchant's other business. Streamed: rows hold the ids of their
 * payments.
 */
export const listSettlements: Answer<'listSettlements', ListClient> = (client, asked) => {
  const { from, to, cursor } = asked;
  // Which date the query compares is undocumented: payments may be from before the weekend.
  const weekendBefore = inLagos(from).minus({ days: 3 }).toJSDate();
  const query = windowSince(weekendBefore, to);
  const list = listOf(client, {
    path: '/settlements',
    query,
    thing: 'settlement',
    fields: settlementFields,
  });
  return readPageAt(list, cursor, (rows) =>
    rows.filter(({ currency }) => isNaira(currency)).map(readSettlement),
  );
};

function readSettlement(row: Row): ProviderSettlement {
  const status = wordOf(row.status);
  const state = stateIn(states, status);
  const [dueAt, processedAt] = [dateOf(row.due_date), dateOf(row.processed_date)];
  return {
    providerSettlementId: idOf(row.id),
    status,
    ...statedAs(state, () => ({
      // Negative where refunds exceed payments: nothing is sent to a bank.
      amountKobo: /^-\d/.test(`${row.net_amount}`) ? 0 : amountOf(row, 'net_amount'),
      deductionsKobo: deductionsOf(row),
    })),
    dueOn: dueAt && lagosDay(dueAt),
    landedAt: state === 'landed' ? (processedAt ?? dueAt) : null,
    bank: bankOf(row),
  };
}

function deductionsOf(row: Row): number | null {
  const [refundKobo, chargebackKobo] = [amountOf(row, 'refund'), amountOf(row, 'chargeback')];
  const isUnstated = refundKobo === null && chargebackKobo === null;
  return isUnstated ? null : (refundKobo ?? 0) + (chargebackKobo ?? 0);
}

function amountOf(row: Row, field: string): number | null {
  const value = row[field];
  if (!isStated(value)) return null;
  const kobo = roundedKoboOfNaira(value);
  if (kobo !== null) return kobo;
  throw new UnclearError(`${field} is no amount: ${plainText(String(value), 50)}`);
}

function bankOf({ destination, settlement_account: account }: Row): ProviderSettlement['bank'] {
  if (destination !== 'account') return null;
  return { name: null, accountLast4: /\d{4}$/.exec(plainText(account, 50))?.[0] ?? null };
}

const MOST_LINES = 10_000;

const lineFields = [
  ...['id', 'tx_ref', 'currency', 'charged_amount', 'settlement_amount'],
  ...['app_fee', 'merchant_fee', 'stampduty_charge'],
];

/** From the number in the cursor on. One answer without pages, read no further than needed. */
export const listLines: Answer<'listLines', ListClient> = async (client, asked) => {
  const { providerSettlementId: id, cursor } = asked;
  const skip = Number(cursor ?? 0);
  const answer = await client.list(`/settlements/${encodeURIComponent(id)}`, {
    ...{ list: 'data.transactions', fields: lineFields, skip, most: MOST_LINES },
  });
  const rows = transactionsIn(answer, id);
  if (rows.length === 0 && skip > 0)
    throw new UnclearError(`the list ends before line ${skip}, and went on before`);
  return { rows: rows.map(readLine), next: answer.hasMore ? String(skip + rows.length) : null };
};

function transactionsIn(answer: ListAnswer, id: string): Row[] {
  const { data } = answer.json;
  if (!isGood(answerForm, answer)) throw errorOf(answerForm, answer);
  if (!answer.rows) throw new UnclearError('the answer holds no list of transactions');
  if (isObject(data) && numericId(data.id) === id) return answer.rows;
  throw new UnclearError('asked for one settlement, the answer is another');
}

/** Amount minus fee is what is settled. Both include a fee that the payer bore. */
function readLine(row: Row): SettlementLine {
  const named = { providerPaymentId: idOf(row.id), reference: plainText(row.tx_ref) };
  return lineOf(named, row.currency, () => {
    const amountKobo = roundedKoboOfNaira(row.charged_amount);
    const isSettled = isStated(row.settlement_amount);
    const settledKobo = isSettled ? roundedKoboOfNaira(row.settlement_amount) : 0;
    if (amountKobo === null || settledKobo === null || settledKobo > amountKobo)
      throw new UnclearError('a line does not say plainly how much');
    return { amountKobo, feeKobo: isSettled ? amountKobo - settledKobo : feeOf(row) };
  });
}
