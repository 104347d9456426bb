import { toId } from '../fields.ts';
import type { Account, Settlement } from '../records.ts';
import { findSettlement, listSettlements, settledDeductions, settledPayments } from '../settlements.ts';
import type { Endpoint, World } from '../world.ts';
import { ok, refuse } from './answers.ts';
import { listAnswer } from './query.ts';
import { settlementLine, settlementShape } from './settlement-shape.ts';

/** `GET /settlements`. Every settlement of the sandbox has landed. */
export const getSettlements: Endpoint = {
  method: 'get',
  path: '/settlements',
  handle(world, call) {
    return listAnswer(
      call,
      'Settlements fetched',
      ({ window, dates }) => listSettlements(world.sql, call.account, dates, window),
      (settlement) => toWire(world, call.account, settlement),
    );
  },
};

/** `GET /settlements/{id}`: with its transactions; here, and only here, `meta` is text and `is_local` a number. */
export const getSettlement: Endpoint = {
  method: 'get',
  path: '/settlements/:id',
  async handle(world, { account, params }) {
    const settlement = await findSettlement(world.sql, account, toId(params.id) ?? 0);
    if (!settlement) return refuse(404, 'Settlement not found');
    const shape = await toWire(world, account, settlement);
    const payments = await settledPayments(world.sql, settlement);
    const transactions = payments.map((payment) => settlementLine(account, payment));
    return ok('Settlement fetched', { ...shape, is_local: 1, meta: JSON.stringify(shape.meta), transactions });
  },
};

async function toWire(world: World, account: Account, settlement: Settlement) {
  const payments = await settledPayments(world.sql, settlement);
  return settlementShape(account, settlement, payments, await settledDeductions(world.sql, settlement));
}
