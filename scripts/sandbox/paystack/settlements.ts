import { advanceRefunds } from '../advance-refunds.ts';
import type { Endpoint } from '../context.ts';
import { text, toId } from '../fields.ts';
import type { Account, Settlement, SettlementStatus } from '../records.ts';
import { findSettlement, listSettlements } from '../settlements.ts';
import { notFound } from './answers.ts';
import { listAnswer } from './query.ts';
import { listLines } from './transactions.ts';

/** What Paystack calls the state of a settlement. */
const settlementStatus: Record<SettlementStatus, string> = {
  pending: 'pending',
  landed: 'success',
  failed: 'failed',
};

/** `GET /settlement`. */
export const getSettlements: Endpoint = {
  method: 'get',
  path: '/settlement',
  handle(context, call) {
    const conditions = { 'status = ?': toStatus(text(call.query, 'status')) };
    return listAnswer(
      call,
      'Settlements retrieved',
      ({ window, dates }) =>
        listSettlements(context.sql, call.account, { ...conditions, ...dates }, window),
      (settlement) => settlementShape(call.account, settlement),
    );
  },
};

/** `GET /settlement/{id}/transactions`. */
export const getSettlementTransactions: Endpoint = {
  method: 'get',
  path: '/settlement/:id/transactions',
  async handle(context, call) {
    const settlement = await findSettlement(context.sql, call.account, toId(call.params.id) ?? 0);
    if (!settlement) return notFound('Settlement');
    await advanceRefunds(context);
    return listLines(context, call, settlement);
  },
};

/** A status that no settlement can have finds none. */
function toStatus(name: string | undefined): SettlementStatus | 'unheard of' | undefined {
  if (name === undefined) return undefined;
  const found = Object.entries(settlementStatus).find(([, wireName]) => wireName === name);
  return (found?.[0] as SettlementStatus | undefined) ?? 'unheard of';
}

/** Of a transfer that failed nothing reached the bank. */
function settlementShape(account: Account, settlement: Settlement) {
  const createdAt = settlement.createdAt.toISOString();
  return {
    id: settlement.id,
    domain: account.mode,
    status: settlementStatus[settlement.status],
    currency: 'NGN',
    integration: account.id,
    total_amount: settlement.grossKobo - settlement.feeKobo,
    effective_amount: settlement.status === 'failed' ? 0 : settlement.landedKobo,
    total_fees: settlement.feeKobo,
    total_processed: settlement.grossKobo,
    deductions: settlement.deductionsKobo || null,
    settlement_date: `${createdAt.slice(0, 10)}T00:00:00.000Z`,
    settled_by: null,
    createdAt,
    updatedAt: settlement.updatedAt.toISOString(),
  };
}
