import { readPageAt } from '../adapter/lists.ts';
import type { Answer } from '../adapter/open.ts';
import {
  dateOf,
  dayOf,
  idOf,
  isNaira,
  isStated,
  koboOf,
  type Row,
  stateIn,
  wordOf,
} from '../adapter/read.ts';
import { lineAs, statedAs } from '../adapter/settlements.ts';
import type { ProviderSettlement } from '../port/settlement.ts';
import { listOf } from './answers.ts';
import { transactionForm } from './wire.ts';

/** Paystack's `status` of a settlement → ours. (https://paystack.com/docs/api/settlement/) */
const states: Record<string, ProviderSettlement['state']> = {
  success: 'landed',
  processing: 'pending',
  pending: 'pending',
  failed: 'failed',
};

/** Subaccounts hold no payment of ours: we create no split payments. */
export const listSettlements: Answer<'listSettlements'> = (client, { from, to, cursor }) => {
  // A settlement is dated at midnight: a query from noon on could miss that day's settlement.
  const midnight = `${from.toISOString().slice(0, 10)}T00:00:00.000Z`;
  const query = { subaccount: 'none', from: midnight, to: to.toISOString() };
  return readPageAt(listOf(client, { path: '/settlement', query }), cursor, (rows) =>
    rows.filter(({ currency }) => isNaira(currency)).map(readSettlement),
  );
};

export const listLines: Answer<'listLines'> = (client, { providerSettlementId, cursor }) => {
  const path = `/settlement/${encodeURIComponent(providerSettlementId)}/transactions`;
  return readPageAt(listOf(client, { path, query: {} }), cursor, (rows) =>
    rows.map((row) => lineAs(transactionForm, row)),
  );
};

function readSettlement(settlement: Row): ProviderSettlement {
  const { id, settlement_date: date, updatedAt } = settlement;
  const status = wordOf(settlement.status);
  const state = stateIn(states, status);
  return {
    providerSettlementId: idOf(id),
    status,
    ...statedAs(state, () => amountsOf(settlement)),
    dueOn: dayOf(date),
    landedAt: state === 'landed' ? (dateOf(updatedAt) ?? dateOf(date)) : null,
    bank: null,
  };
}

/**
 * `effective_amount` is sent, `total_amount` is before `deductions`. Where both are equal nothing
 * was deducted; a difference of unknown reason must not explain away a shortfall.
 */
function amountsOf(settlement: Row) {
  const stated = (field: string) =>
    isStated(settlement[field]) ? koboOf(settlement[field]) : null;
  const [totalKobo, effectiveKobo] = [stated('total_amount'), stated('effective_amount')];
  const isWhole = effectiveKobo !== null && effectiveKobo === totalKobo;
  const deductionsKobo = stated('deductions') ?? (isWhole ? 0 : null);
  const isKnown = totalKobo !== null && deductionsKobo !== null;
  const restKobo = isKnown ? koboOf(totalKobo - deductionsKobo) : null;
  return { amountKobo: effectiveKobo ?? restKobo, deductionsKobo };
}
