import { text, toId } from '../fields.ts';
import type { Account, Settlement } from '../records.ts';
import { advanceRefunds } from '../refunds.ts';
import { findSettlement, listSettlements } from '../settlements.ts';
import type { Endpoint } from '../world.ts';
import { notFound } from './answers.ts';
import { listAnswer } from './query.ts';
import { listTransactions } from './transactions.ts';

/** `GET /settlement`. Every settlement of the sandbox has landed; a filter on another status finds none. */
export const getSettlements: Endpoint = {
  method: 'get',
  path: '/settlement',
  handle(world, call) {
    const status = text(call.query, 'status');
    const nothing = status === undefined || status === 'success' ? undefined : 0;
    return listAnswer(
      call,
      'Settlements retrieved',
      ({ window, dates }) => listSettlements(world.sql, call.account, { 'id = ?': nothing, ...dates }, window),
      (settlement) => settlementShape(call.account, settlement),
    );
  },
};

/** `GET /settlement/{id}/transactions`. */
export const getSettlementTransactions: Endpoint = {
  method: 'get',
  path: '/settlement/:id/transactions',
  async handle(world, call) {
    const settlement = await findSettlement(world.sql, call.account, toId(call.params.id) ?? 0);
    if (!settlement) return notFound('Settlement');
    await advanceRefunds(world);
    return listTransactions(world, call, settlement.id);
  },
};

function settlementShape(account: Account, settlement: Settlement) {
  const createdAt = settlement.createdAt.toISOString();
  return {
    id: settlement.id,
    domain: account.mode,
    status: 'success',
    currency: 'NGN',
    integration: account.id,
    total_amount: settlement.grossKobo - settlement.feeKobo,
    effective_amount: settlement.landedKobo,
    total_fees: settlement.feeKobo,
    total_processed: settlement.grossKobo,
    deductions: settlement.deductionsKobo || null,
    settlement_date: `${createdAt.slice(0, 10)}T00:00:00.000Z`,
    settled_by: null,
    createdAt,
    updatedAt: createdAt,
  };
}
