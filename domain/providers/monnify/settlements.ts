import { lagosDay } from '../../shared/lagos.ts';
import { deadlineOf } from '../http.ts';
import type { CallOptions } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import {
  dayOf,
  isObject,
  isReference,
  parseObject,
  plainText,
  roundedKoboOfNaira,
} from '../read.ts';
import type { LinesQuery, Page, ProviderSettlement, SettlementLine } from '../settlements.ts';
import { lineOf } from '../unclear.ts';
import { bodyOf, errorOf, isEmpty, refusalOf } from './answers.ts';
import type { Client } from './client.ts';
import { pageOf } from './pages.ts';

import { idOf, monnifyDate, readCapture } from './wire.ts';

/**
 * Reads a settlement's notification, which Monnify sends with the money. Refunds come out of a
 * wallet, so there are no deductions.
 */
export function readSettlement(body: string): ProviderSettlement | undefined {
  const { eventType, eventData } = parseObject(body);
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

/** The settlement that holds a transaction; undefined while none does, or more than one. */
export async function findSettlement(
  client: Client,
  transactionReference: string,
  options: CallOptions,
): Promise<ProviderSettlement | undefined> {
  const stage = 'settlement';
  const path = `/api/v1/settlement-detail?transactionReference=${encodeURIComponent(transactionReference)}`;
  const answer = await client.call({ method: 'GET', path, stage }, deadlineOf(options));
  // "Not yet" is undocumented. To read any other 404 of Monnify's as such does no harm.
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
  return Array.isArray(detail.beneficiaries) ? oneOf(detail.beneficiaries) : readDetail(detail);
}

/**
 * The payments of a settlement, in the form of the query answer. A refunded payment was settled
 * first.
 */
export async function listLines(
  client: Client,
  { providerSettlementId, cursor }: LinesQuery,
  options: CallOptions,
): Promise<Page<SettlementLine>> {
  const stage = 'settlement lines';
  const path = '/api/v1/transactions/find-by-settlement-reference';
  const { rows, next } = await pageOf(
    client,
    { stage, path, query: { reference: providerSettlementId } },
    cursor,
    options,
  );
  return { rows: rows.map((row) => readLine(row, stage)), next };
}

function readLine(transaction: Record<string, unknown>, stage: string): SettlementLine {
  const providerPaymentId = idOf(transaction.transactionReference, stage);
  return lineOf({ providerPaymentId, reference: plainText(transaction.paymentReference) }, () => {
    const { amountKobo, feeKobo, currency } = readCapture(transaction, stage);
    if (!/^(NGN)?$/.test(currency))
      throw new ProviderError('unknown', stage, 'a payment of a settlement is not in naira');
    return { amountKobo, feeKobo };
  });
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

/** Values of `settlementStatus`, which are unpublished: sent, and not sent yet. */
const sentWords = new Set(['', 'SETTLED', 'COMPLETED', 'SUCCESS', 'SUCCESSFUL', 'PAID']);
const unsentWords = new Set([
  'PENDING',
  'NOT_SETTLED',
  'UNSETTLED',
  'PROCESSING',
  'IN_PROGRESS',
  'AWAITING_SETTLEMENT',
]);

/**
 * The form of the Java SDK: one beneficiary, because we create no split payments. A payment that
 * was split all the same is in no settlement that could be compared: a person finds it missing.
 */
function oneOf(beneficiaries: unknown[]): ProviderSettlement | undefined {
  const found = beneficiaries
    .filter(isObject)
    .flatMap((beneficiary) => readBeneficiary(beneficiary) ?? []);
  const references = new Set(found.map(({ providerSettlementId }) => providerSettlementId));
  return references.size > 1 ? undefined : found[0];
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

interface SettlementFacts extends Pick<ProviderSettlement, 'state' | 'status' | 'bank'> {
  /** Null where only one payment's amount is stated. */
  amountKobo?: number | null;
  at: unknown;
}

function settlementFrom(
  providerSettlementId: string,
  { state, status, amountKobo = null, at, bank }: SettlementFacts,
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
