import { advanceRefunds } from '../advance-refunds.ts';
import type { Endpoint, SandboxContext } from '../context.ts';
import { text } from '../fields.ts';
import { toNaira } from '../naira.ts';
import type { Account, Settlement } from '../records.ts';
import { asStated, findSettlement } from '../settlements.ts';
import { malformed, ok, refuse } from './answers.ts';
import { dashDate } from './dates.ts';
import { pageAnswer } from './pages.ts';
import { findSaleByTransactionReference, listSettledSales } from './sales.ts';
import { settlementReference, toSettlementId } from './settlement-reference.ts';
import { lineShape, settlementKobo } from './transaction-shape.ts';
import { notFound } from './transactions.ts';

/**
 * `GET /api/v1/transactions/find-by-settlement-reference`: the transactions of a payout, in the
 * shape of the queries.
 */
export const findBySettlementReference: Endpoint = {
  method: 'get',
  path: '/api/v1/transactions/find-by-settlement-reference',
  async handle(context, { account, query }) {
    const reference = text(query, 'reference');
    if (reference === undefined) return malformed;
    await advanceRefunds(context);
    const settlement = await findLanded(context, account, toSettlementId(reference));
    return pageAnswer(
      query,
      async (window) =>
        settlement
          ? listSettledSales(context.sql, settlement, window)
          : { rows: [], total: 0, volumeKobo: 0 },
      (sale) => lineShape(sale, context.now()),
    );
  },
};

/**
 * `GET /api/v1/settlement-detail?transactionReference=`: the payout a transaction went out with, in
 * the shape of the OpenAPI file.
 */
export const getSettlementDetail: Endpoint = {
  method: 'get',
  path: '/api/v1/settlement-detail',
  async handle(context, { account, query }) {
    const transactionReference = text(query, 'transactionReference');
    if (transactionReference === undefined) return malformed;
    const sale = await findSaleByTransactionReference(context.sql, account, transactionReference);
    if (!sale) return notFound;
    const settlement = await findLanded(context, account, sale.settlementId ?? 0);
    if (!settlement)
      return refuse(404, 'There is no settlement for the supplied transaction reference yet', 99);
    return ok({
      transactionReference,
      settlementReference: settlementReference(settlement),
      settlementDate: dashDate(settlement.landedAt ?? settlement.createdAt),
      settlementAmount: toNaira(settlementKobo(asStated(sale))),
      currency: 'NGN',
    });
  },
};

/** Monnify notifies no payout whose money is not at the bank. */
async function findLanded(
  { sql }: SandboxContext,
  account: Account,
  id: number,
): Promise<Settlement | undefined> {
  const settlement = await findSettlement(sql, account, id);
  return settlement?.status === 'landed' ? settlement : undefined;
}
