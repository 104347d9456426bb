import { lagosDay } from '../../shared/lagos.ts';
import { recordOf } from '../adapter/answers.ts';
import { readPageAt } from '../adapter/lists.ts';
import type { Answer } from '../adapter/open.ts';
import {
  dayOf,
  isObject,
  isReference,
  parseObject,
  plainText,
  type Row,
  roundedKoboOfNaira,
  UnclearError,
} from '../adapter/read.ts';
import { lineAs } from '../adapter/settlements.ts';
import type { ProviderSettlement } from '../port/settlement.ts';
import { answerForm, isEmpty, listOf, refusalOf } from './answers.ts';
import { monnifyDate, transactionForm, upperWord } from './wire.ts';

/** Refunds come out of a wallet, so there are no deductions. */
export function readSettlement(body: string): ProviderSettlement | undefined {
  const { eventType, eventData: data } = parseObject(body);
  if (eventType !== 'SETTLEMENT' || !isObject(data)) return undefined;
  const landed = settlementOf(data.settlementReference, 'landed', eventType, data.settlementTime);
  const amountKobo = roundedKoboOfNaira(data.amount);
  return landed && { ...landed, amountKobo, bank: bankOf(data) };
}

export const findSettlement: Answer<'findSettlement'> = async (client, transactionReference) => {
  const query = `transactionReference=${encodeURIComponent(transactionReference)}`;
  const answer = await client.get(`/api/v1/settlement-detail?${query}`);
  // "Not yet" is undocumented. To read any other 404 of Monnify's as such does no harm.
  if (isEmpty(answer) || (answer.status === 404 && refusalOf(answer) !== undefined))
    return undefined;
  const detail = recordOf(answerForm, answer);
  const { transaction, beneficiaries, settlementReference, settlementDate } = detail;
  const { transactionReference: named } = isObject(transaction) ? transaction : detail;
  if (isReference(named) && named !== transactionReference)
    throw new UnclearError('the answer is about another payment');
  // The form of the Java SDK, or that of the OpenAPI file.
  return Array.isArray(beneficiaries)
    ? oneOf(beneficiaries)
    : settlementOf(settlementReference, 'landed', '', settlementDate);
};

/** Unpublished values of `settlementStatus`. */
const sentWords = new Set(['', 'SETTLED', 'COMPLETED', 'SUCCESS', 'SUCCESSFUL', 'PAID']);
const unsentWords = new Set([
  ...['PENDING', 'NOT_SETTLED', 'UNSETTLED', 'PROCESSING', 'IN_PROGRESS', 'AWAITING_SETTLEMENT'],
]);

/** We create no split payments; a person finds one missing. */
function oneOf(beneficiaries: unknown[]): ProviderSettlement | undefined {
  const found = beneficiaries.filter(isObject).flatMap((each) => readBeneficiary(each) ?? []);
  const references = new Set(found.map(({ providerSettlementId }) => providerSettlementId));
  return references.size > 1 ? undefined : found[0];
}

function readBeneficiary(beneficiary: Row): ProviderSettlement | undefined {
  const { settlementStatus, settlementInformation: information } = beneficiary;
  const status = upperWord(settlementStatus).replace(/[ -]+/g, '_');
  if (unsentWords.has(status) || !isObject(information)) return undefined;
  const { settlementReference, settledDate } = information;
  const state = sentWords.has(status) ? 'landed' : 'unknown';
  const settlement = settlementOf(settlementReference, state, status, settledDate);
  return settlement && { ...settlement, bank: bankOf(information) };
}

function settlementOf(
  reference: unknown,
  state: ProviderSettlement['state'],
  status: string,
  at: unknown,
): ProviderSettlement | undefined {
  if (!isReference(reference)) return undefined;
  const moment = monnifyDate(at);
  return {
    ...{ providerSettlementId: reference, state, status, bank: null },
    ...{ amountKobo: null, deductionsKobo: null },
    dueOn: moment ? lagosDay(moment) : dayOf(at),
    landedAt: state === 'landed' ? moment : null,
  };
}

function bankOf({ destinationBankName, destinationAccountNumber }: Row) {
  const name = plainText(destinationBankName, 100) || null;
  const accountLast4 = /\d{4}$/.exec(plainText(String(destinationAccountNumber), 50))?.[0] ?? null;
  return name === null && accountLast4 === null ? null : { name, accountLast4 };
}

export const listLines: Answer<'listLines'> = (client, { providerSettlementId, cursor }) => {
  const path = '/api/v1/transactions/find-by-settlement-reference';
  const list = listOf(client, { path, query: { reference: providerSettlementId } });
  return readPageAt(list, cursor, (rows) => rows.map((row) => lineAs(transactionForm, row)));
};
