import { lagosDay } from '../../shared/lagos.ts';
import type { LinesQuery, Page, ProviderSettlement, SettlementLine } from '../payouts.ts';
import { type CallOptions, ProviderError } from '../provider.ts';
import { dayOf, isObject, isReference, plainText, roundedKoboOfNaira } from '../read.ts';
import { bodyOf, errorOf, isEmpty, refusalOf } from './answers.ts';
import { monnifyDate } from './dates.ts';
import { parseEvent } from './notification.ts';
import { pageOf } from './pages.ts';
import { patienceOf, type Session } from './session.ts';
import { readCapture } from './transaction.ts';

/** Reads the notification of a settlement, which is sent when its money was. Deductions are not in it: refunds come out of the wallet. */
export function readSettlement(body: string): ProviderSettlement | undefined {
  const { eventType, eventData } = parseEvent(body);
  if (
    eventType !== 'SETTLEMENT' ||
    !isObject(eventData) ||
    !isReference(eventData.settlementReference)
  )
    return undefined;
  return settlementFrom(eventData.settlementReference, {
    state: 'landed',
    status: eventType,
    amountKobo: roundedKoboOfNaira(eventData.amount),
    at: eventData.settlementTime,
    bank: bankOf(eventData),
  });
}

/** The settlement a transaction went out with; undefined while it has none. */
export async function findSettlement(
  session: Session,
  transactionReference: string,
  options: CallOptions,
): Promise<ProviderSettlement | undefined> {
  const stage = 'settlement';
  const path = `/api/v1/settlement-detail?transactionReference=${encodeURIComponent(transactionReference)}`;
  const answer = await session.call({ method: 'GET', path, stage }, patienceOf(options));
  // Monnify documents no words for "not yet". To take another 404 of its own for it harms nothing: the payment goes on being unsettled.
  if (isEmpty(answer) || (answer.status === 404 && refusalOf(answer) !== undefined))
    return undefined;
  const detail = bodyOf(answer);
  if (!detail) throw errorOf(answer, stage);
  const { transactionReference: named } = isObject(detail.transaction)
    ? detail.transaction
    : detail;
  if (isReference(named) && named !== transactionReference) {
    throw new ProviderError('unknown', stage, 'the answer is about another payment');
  }
  return Array.isArray(detail.beneficiaries)
    ? oneOf(detail.beneficiaries, stage)
    : readDetail(detail);
}

/** The payments of a settlement, in the query shape. What was sent back since was paid out first. */
export async function listLines(
  session: Session,
  { providerSettlementId, cursor }: LinesQuery,
  options: CallOptions,
): Promise<Page<SettlementLine>> {
  const stage = 'settlement lines';
  const path = '/api/v1/transactions/find-by-settlement-reference';
  const { rows, next } = await pageOf(
    session,
    { stage, path, query: { reference: providerSettlementId } },
    cursor,
    options,
  );
  return { rows: rows.map((row) => readLine(row, stage)), next };
}

function readLine(transaction: Record<string, unknown>, stage: string): SettlementLine {
  const { providerPaymentId, reference, amountKobo, feeKobo, currency } = readCapture(
    transaction,
    stage,
  );
  if (!/^(NGN)?$/.test(currency))
    throw new ProviderError('unknown', stage, 'a payment of a settlement is not in naira');
  return { providerPaymentId, reference, amountKobo, feeKobo };
}

/** The form of the OpenAPI file. */
function readDetail({
  settlementReference,
  settlementDate,
}: Record<string, unknown>): ProviderSettlement | undefined {
  if (!isReference(settlementReference)) return undefined;
  return settlementFrom(settlementReference, {
    state: 'landed',
    status: '',
    at: settlementDate,
    bank: null,
  });
}

/** `settlementStatus`, of which nobody publishes the words: those that say it was sent, and those that say it was not. */
const sentWords = new Set(['', 'SETTLED', 'COMPLETED', 'SUCCESS', 'SUCCESSFUL', 'PAID']);
const unsentWords = new Set([
  'PENDING',
  'NOT_SETTLED',
  'UNSETTLED',
  'PROCESSING',
  'IN_PROGRESS',
  'AWAITING_SETTLEMENT',
]);

/** The form of the Java SDK: one beneficiary, because we make no payment that is split. */
function oneOf(beneficiaries: unknown[], stage: string): ProviderSettlement | undefined {
  const found = beneficiaries
    .filter(isObject)
    .flatMap((beneficiary) => readBeneficiary(beneficiary) ?? []);
  const references = new Set(found.map(({ providerSettlementId }) => providerSettlementId));
  if (references.size > 1)
    throw new ProviderError('unknown', stage, 'the payment went out with more than one settlement');
  return found[0];
}

function readBeneficiary({
  settlementStatus,
  settlementInformation,
}: Record<string, unknown>): ProviderSettlement | undefined {
  const status = plainText(settlementStatus, 50).toUpperCase().replace(/[ -]+/g, '_');
  if (unsentWords.has(status) || !isObject(settlementInformation)) return undefined;
  const { settlementReference, settledDate } = settlementInformation;
  if (!isReference(settlementReference)) return undefined;
  const state = sentWords.has(status) ? 'landed' : 'unknown';
  return settlementFrom(settlementReference, {
    state,
    status,
    at: settledDate,
    bank: bankOf(settlementInformation),
  });
}

interface Told extends Pick<ProviderSettlement, 'state' | 'status' | 'bank'> {
  /** Null where only the amount of one payment is told. */
  amountKobo?: number | null;
  at: unknown;
}

function settlementFrom(
  providerSettlementId: string,
  { state, status, amountKobo = null, at, bank }: Told,
): ProviderSettlement {
  const moment = monnifyDate(at);
  const dueOn = moment ? lagosDay(moment) : dayOf(at);
  return {
    providerSettlementId,
    state,
    status,
    amountKobo,
    deductionsKobo: null,
    dueOn,
    landedAt: state === 'landed' ? moment : null,
    bank,
  };
}

function bankOf({
  destinationBankName,
  destinationAccountNumber,
}: Record<string, unknown>): ProviderSettlement['bank'] {
  const name = plainText(destinationBankName, 100) || null;
  const accountLast4 = /\d{4}$/.exec(plainText(String(destinationAccountNumber), 50))?.[0] ?? null;
  return name === null && accountLast4 === null ? null : { name, accountLast4 };
}
