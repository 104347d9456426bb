import type { CallOptions } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { dateOf, dayOf, isStated, koboOf, plainText, stateIn } from '../read.ts';
import type {
  LinesQuery,
  Page,
  ProviderSettlement,
  SettlementLine,
  SpanQuery,
} from '../settlements.ts';
import { lineOf, statedAs } from '../unclear.ts';
import type { Client } from './client.ts';
import { idOf, pageOf } from './pages.ts';
import { readCapture } from './wire.ts';

/** Paystack's `status` of a settlement → ours. (https://paystack.com/docs/api/settlement/) */
const states: Record<string, ProviderSettlement['state']> = {
  success: 'landed',
  processing: 'pending',
  pending: 'pending',
  failed: 'failed',
};

/**
 * The merchant's settlements, in any state. Those to subaccounts are not the merchant's money and
 * hold no payment of ours: we create no split payments. Nor do those in another currency.
 */
export async function listSettlements(
  client: Client,
  { from, to, cursor }: SpanQuery,
  options: CallOptions,
): Promise<Page<ProviderSettlement>> {
  const stage = 'settlements';
  // A settlement is dated at midnight: a query from noon on could miss that day's settlement.
  const query = {
    subaccount: 'none',
    from: `${from.toISOString().slice(0, 10)}T00:00:00.000Z`,
    to: to.toISOString(),
  };
  const { rows, next } = await pageOf(
    client,
    { stage, path: '/settlement', query },
    cursor,
    options,
  );
  return { rows: rows.filter(isNaira).map((row) => readRow(row, stage)), next };
}

/**
 * The payments of a settlement. A refunded payment was settled first; its refund is a deduction.
 */
export async function listLines(
  client: Client,
  { providerSettlementId, cursor }: LinesQuery,
  options: CallOptions,
): Promise<Page<SettlementLine>> {
  const stage = 'settlement lines';
  const path = `/settlement/${encodeURIComponent(providerSettlementId)}/transactions`;
  const { rows, next } = await pageOf(client, { stage, path, query: {} }, cursor, options);
  return { rows: rows.map((row) => readLine(row, stage)), next };
}

function readLine(transaction: Record<string, unknown>, stage: string): SettlementLine {
  const providerPaymentId = idOf(transaction.id, stage);
  return lineOf({ providerPaymentId, reference: plainText(transaction.reference) }, () => {
    if (!isNaira(transaction))
      throw new ProviderError('unknown', stage, 'a payment of a settlement is not in naira');
    const { amountKobo, feeKobo } = readCapture(transaction, stage);
    return { amountKobo, feeKobo };
  });
}

/** A record without a currency is in the account's own. */
function isNaira({ currency }: Record<string, unknown>): boolean {
  return /^(NGN)?$/i.test(plainText(currency, 10));
}

function readRow(settlement: Record<string, unknown>, stage: string): ProviderSettlement {
  const status = plainText(settlement.status, 50).toLowerCase();
  const state = stateIn(states, status);
  return {
    providerSettlementId: idOf(settlement.id, stage),
    status,
    ...statedAs(state, () => amountsOf(settlement, stage)),
    dueOn: dayOf(settlement.settlement_date),
    landedAt:
      state === 'landed'
        ? (dateOf(settlement.updatedAt) ?? dateOf(settlement.settlement_date))
        : null,
    bank: null,
  };
}

/**
 * `effective_amount` is what is sent, `total_amount` what it would be without `deductions`. Where
 * these are null and the two amounts are equal, nothing was deducted. Where they differ, the reason
 * is unknown: to call the difference deductions would explain away a shortfall.
 */
function amountsOf(
  settlement: Record<string, unknown>,
  stage: string,
): Pick<ProviderSettlement, 'amountKobo' | 'deductionsKobo'> {
  const stated = (value: unknown) => (isStated(value) ? koboOf(value, stage) : null);
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
