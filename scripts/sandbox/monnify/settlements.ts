import { text } from '../fields.ts';
import { toNaira } from '../naira.ts';
import { advanceRefunds } from '../refunds.ts';
import { findSettlement } from '../settlements.ts';
import type { Endpoint } from '../world.ts';
import { malformed, ok, refuse } from './answers.ts';
import { dashDate } from './dates.ts';
import { pageAnswer } from './pages.ts';
import { findSaleByTransactionReference, listSales } from './sales.ts';
import { settlementReference, toSettlementId } from './settlement-reference.ts';
import { settlementKobo, transactionShape } from './transaction-shape.ts';
import { notFound } from './transactions.ts';

/** `GET /api/v1/transactions/find-by-settlement-reference`: the transactions of a payout, in the shape of the queries. */
export const findBySettlementReference: Endpoint = {
  method: 'get',
  path: '/api/v1/transactions/find-by-settlement-reference',
  async handle(world, { account, query }) {
    const reference = text(query, 'reference');
    if (reference === undefined) return malformed;
    await advanceRefunds(world);
    const conditions = { 'settlement_id = ?': toSettlementId(reference) };
    return pageAnswer(
      query,
      (window) => listSales(world.sql, account, conditions, window),
      (sale) => transactionShape(sale, world.now()),
    );
  },
};

/** `GET /api/v1/settlement-detail?transactionReference=`: the payout a transaction went out with, in the shape of the OpenAPI file. */
export const getSettlementDetail: Endpoint = {
  method: 'get',
  path: '/api/v1/settlement-detail',
  async handle(world, { account, query }) {
    const transactionReference = text(query, 'transactionReference');
    if (transactionReference === undefined) return malformed;
    const sale = await findSaleByTransactionReference(world.sql, account, transactionReference);
    if (!sale) return notFound;
    const settlement = sale.settlementId === null ? undefined : await findSettlement(world.sql, account, sale.settlementId);
    if (!settlement) return refuse(404, 'There is no settlement for the supplied transaction reference yet', 99);
    return ok({
      transactionReference,
      settlementReference: settlementReference(settlement),
      settlementDate: dashDate(settlement.createdAt),
      settlementAmount: toNaira(settlementKobo(sale)),
      currency: 'NGN',
    });
  },
};
