import type { Account, Settlement } from '../records.ts';
import { asStated, findSettlement } from '../settlements.ts';
import type { Store } from '../store.ts';
import { get, toNaira, toText } from '../wire.ts';
import { malformed, ok, pageAnswer, refuse } from './answers.ts';
import { dashDate } from './dates.ts';
import { lineShape, settlementKobo } from './transaction-shape.ts';
import { findSale, notFound } from './transactions.ts';

/** `GET …/find-by-settlement-reference`: the transactions of a payout, as queries show them. */
const findBySettlementReference = get(
  '/api/v1/transactions/find-by-settlement-reference',
  ({ store, now }, { account, query }) => {
    const reference = toText(query.reference) ?? malformed();
    const [, digits] = /^STL(\d{10})$/.exec(reference) ?? [];
    const { paymentIds } = findLanded(store, account, Number(digits ?? 0)) ?? { paymentIds: [] };
    return pageAnswer(query, paymentIds.toReversed(), (id) =>
      lineShape(store.payment.get(id)!, now()),
    );
  },
);

/** `GET /api/v1/settlement-detail?transactionReference=`: the payout of a transaction. */
const getSettlementDetail = get('/api/v1/settlement-detail', ({ store }, { account, query }) => {
  const transactionReference = toText(query.transactionReference) ?? malformed();
  const sale = findSale(store, account, transactionReference) ?? notFound();
  const settlement =
    findLanded(store, account, sale.settlementId ?? 0) ??
    refuse(404, 'There is no settlement for the supplied transaction reference yet', 99);
  return ok({
    transactionReference,
    settlementReference: settlementReference(settlement),
    settlementDate: dashDate(settlement.landedAt ?? settlement.createdAt),
    settlementAmount: toNaira(settlementKobo(asStated(sale))),
    currency: 'NGN',
  });
});

/** Monnify's name for a payout: `STL0003090024`. */
export function settlementReference({ id }: { id: number }): string {
  return `STL${String(id).padStart(10, '0')}`;
}

/** Monnify tells of no payout whose money is not at the bank. */
function findLanded(store: Store, account: Account, id: number): Settlement | undefined {
  const settlement = findSettlement(store, account, id);
  return settlement?.status === 'landed' ? settlement : undefined;
}

export const settlements = [findBySettlementReference, getSettlementDetail];
