import type {
  LinesQuery,
  Page,
  ProviderSettlement,
  SettlementLine,
  SpanQuery,
} from '../payouts.ts';
import { type CallOptions, ProviderError } from '../provider.ts';
import { dateOf, dayOf, koboOf, plainText } from '../read.ts';
import type { PaystackCall } from './call.ts';
import { idOf, pageOf } from './pages.ts';
import { readCapture } from './transaction.ts';

/** Paystack's `status` of a settlement → ours. (https://paystack.com/docs/api/settlement/) */
const states: Record<string, ProviderSettlement['state']> = {
  success: 'landed',
  processing: 'pending',
  pending: 'pending',
  failed: 'failed',
};

/**
 * What Paystack pays out to the merchant, in any state. Payouts to subaccounts are not the merchant's money, and hold nothing of ours:
 * we make no payment that is split. Those in another currency hold none either, and their amounts are no kobo.
 */
export async function listSettlements(
  call: PaystackCall,
  { from, to, cursor }: SpanQuery,
  options: CallOptions,
): Promise<Page<ProviderSettlement>> {
  const stage = 'settlements';
  // A settlement's date is a day, at its midnight: asked from noon on, that of the same day could be left out.
  const query = {
    subaccount: 'none',
    from: `${from.toISOString().slice(0, 10)}T00:00:00.000Z`,
    to: to.toISOString(),
  };
  const { rows, next } = await pageOf(call, { stage, path: '/settlement', query }, cursor, options);
  return { rows: rows.filter(isNaira).map((row) => readRow(row, stage)), next };
}

/** The payments of a settlement, read as captures are: what was sent back since was paid out first, and is taken out as a deduction. */
export async function listLines(
  call: PaystackCall,
  { providerSettlementId, cursor }: LinesQuery,
  options: CallOptions,
): Promise<Page<SettlementLine>> {
  const stage = 'settlement lines';
  const path = `/settlement/${encodeURIComponent(providerSettlementId)}/transactions`;
  const { rows, next } = await pageOf(call, { stage, path, query: {} }, cursor, options);
  return { rows: rows.map((row) => readLine(row, stage)), next };
}

function readLine(transaction: Record<string, unknown>, stage: string): SettlementLine {
  if (!isNaira(transaction))
    throw new ProviderError('unknown', stage, 'a payment of a settlement is not in naira');
  const { providerPaymentId, reference, amountKobo, feeKobo } = readCapture(transaction, stage);
  return { providerPaymentId, reference, amountKobo, feeKobo };
}

/** A record that names no currency is in the account's own. */
function isNaira({ currency }: Record<string, unknown>): boolean {
  return /^(NGN)?$/i.test(plainText(currency, 10));
}

function readRow(settlement: Record<string, unknown>, stage: string): ProviderSettlement {
  const status = plainText(settlement.status, 50).toLowerCase();
  const state = Object.hasOwn(states, status) ? states[status]! : 'unknown';
  return {
    providerSettlementId: idOf(settlement.id, stage),
    state,
    status,
    ...amountsOf(settlement, stage),
    dueOn: dayOf(settlement.settlement_date),
    landedAt:
      state === 'landed'
        ? (dateOf(settlement.updatedAt) ?? dateOf(settlement.settlement_date))
        : null,
    bank: null,
  };
}

/**
 * `effective_amount` is what is sent, `total_amount` what it would be without `deductions`. Where these are null, nothing was taken out
 * if the two are equal. If they differ, nobody says what for: to call the difference deductions would explain away money that is short.
 */
function amountsOf(
  settlement: Record<string, unknown>,
  stage: string,
): Pick<ProviderSettlement, 'amountKobo' | 'deductionsKobo'> {
  const stated = (value: unknown) =>
    value === null || value === undefined || value === '' ? null : koboOf(value, stage);
  const totalKobo = stated(settlement.total_amount);
  const effectiveKobo = stated(settlement.effective_amount);
  const statedKobo = stated(settlement.deductions);
  const deductionsKobo =
    statedKobo ?? (effectiveKobo !== null && effectiveKobo === totalKobo ? 0 : null);
  const restKobo =
    totalKobo === null || deductionsKobo === null
      ? null
      : koboOf(totalKobo - deductionsKobo, stage);
  return { amountKobo: effectiveKobo ?? restKobo, deductionsKobo };
}
