import type { ListAnswer } from '../http-stream.ts';
import type { Scalars } from '../json-walk.ts';
import type { LinesQuery, Page, SettlementLine } from '../payouts.ts';
import { ProviderError } from '../provider.ts';
import { plainText, roundedKoboOfNaira } from '../read.ts';
import { errorOf, isGood } from './answers.ts';
import type { Line } from './call.ts';
import { isInNaira } from './settlements.ts';
import { idOf, isStated } from './transaction.ts';

const stage = 'list lines';

/** The most lines of one call. */
export const MOST_LINES = 10_000;

const amounts = [
  'charged_amount',
  'app_fee',
  'merchant_fee',
  'stampduty_charge',
  'settlement_amount',
];
const fields = ['id', 'tx_ref', 'currency', ...amounts];

/**
 * The payments of a settlement, from the line on that the cursor counts to. They come all in one answer, which has no pages: it is read
 * as far as is asked for, and to its end by whoever takes the last of them.
 */
export async function listLines(
  line: Line,
  { providerSettlementId: id, cursor }: LinesQuery,
): Promise<Page<SettlementLine>> {
  const skip = Number(cursor ?? 0);
  const wanted = {
    list: 'data.transactions',
    fields,
    beside: ['status', 'message', 'data.id'],
    skip,
    most: MOST_LINES,
  };
  const answer = await line.list(`/settlements/${encodeURIComponent(id)}`, wanted, stage);
  const rows = transactionsIn(answer, id);
  if (rows.length === 0 && skip > 0)
    throw new ProviderError(
      'unknown',
      stage,
      `the list ends before line ${skip}, and went on before`,
    );
  return { rows: rows.map(readLine), next: answer.hasMore ? String(skip + rows.length) : null };
}

function transactionsIn(answer: ListAnswer, id: string): Scalars[] {
  if (!isGood(answer)) throw errorOf(answer, stage);
  if (!answer.rows)
    throw new ProviderError('unknown', stage, 'the answer holds no list of transactions');
  if (answer.json['data.id'] === id) return answer.rows;
  throw new ProviderError('unknown', stage, 'asked for one settlement, the answer is another');
}

/**
 * The net is what Flutterwave says it settles, to the kobo. The amount is what the payer paid: a fee they bore on top is in it, and in
 * the fee too.
 */
function readLine(row: Scalars): SettlementLine {
  const amountKobo = roundedKoboOfNaira(row.charged_amount);
  const settledKobo = isStated(row.settlement_amount)
    ? roundedKoboOfNaira(row.settlement_amount)
    : undefined;
  const isPlain =
    amountKobo !== null &&
    settledKobo !== null &&
    (settledKobo ?? 0) <= amountKobo &&
    isInNaira(row);
  if (!isPlain) throw new ProviderError('unknown', stage, 'a line does not say plainly how much');
  const feeKobo = settledKobo === undefined ? feeOf(row) : amountKobo - settledKobo;
  return {
    providerPaymentId: idOf(row, stage),
    reference: plainText(row.tx_ref),
    amountKobo,
    feeKobo,
  };
}

/** Flutterwave's fee with its duty, and the merchant's own; null while the first is not stated. */
function feeOf(row: Scalars): number | null {
  const appKobo = roundedKoboOfNaira(row.app_fee);
  if (appKobo === null) return null;
  return (
    appKobo +
    (roundedKoboOfNaira(row.merchant_fee) ?? 0) +
    (roundedKoboOfNaira(row.stampduty_charge) ?? 0)
  );
}
