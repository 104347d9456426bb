import type { Account, Settlement } from '../records.ts';
import { findSettlement, linesOf, unsettledKobo } from '../settlements.ts';
import { get, toId } from '../wire.ts';
import { listAnswer, notFound, ok } from './answers.ts';
import { listPayments } from './transactions.ts';

const statusOf = ({ status }: Settlement) => (status === 'landed' ? 'success' : status);

const getSettlements = get('/settlement', ({ store }, call) => {
  const all = store.settlement.find(`account ${call.account.id}`);
  return listAnswer(call, 'Settlements retrieved', all, {
    filters: { status: statusOf },
    toWire: (settlement) => settlementShape(call.account, settlement),
  });
});

const getSettlementTransactions = get('/settlement/:id/transactions', ({ store }, call) => {
  const settlement = findSettlement(store, call.account, toId(call.params.id));
  return listPayments(call, linesOf(store, settlement ?? notFound('Settlement')).reverse());
});

/** `GET /balance`: what was not paid out yet. */
const getBalance = get('/balance', ({ store }, { account }) => {
  return ok('Balances retrieved', [{ currency: 'NGN', balance: unsettledKobo(store, account) }]);
});

/** Of a transfer that failed nothing reached the bank. */
function settlementShape(account: Account, settlement: Settlement) {
  const createdAt = settlement.createdAt.toISOString();
  return {
    id: settlement.id,
    domain: account.mode,
    status: statusOf(settlement),
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

export const settlements = [getSettlements, getSettlementTransactions, getBalance];
