import type { Payouts } from '../payouts.ts';
import type { Account } from '../provider.ts';
import { lineOf } from './call.ts';
import { listPayments } from './payments.ts';
import { listLines } from './settlement-lines.ts';
import { listSettlements } from './settlements.ts';

/** What a Flutterwave account says of the money it pays out: it lists its settlements, and sends no notification of one. */
export function flutterwavePayouts(account: Account): Payouts {
  return {
    listSettlements: (query, options) => listSettlements(lineOf(account, options), query),
    listLines: (query, options) => listLines(lineOf(account, options), query),
    listPayments: (query, options) => listPayments(lineOf(account, options), query),
    settlementOf: async () => undefined,
    readSettlement: () => undefined,
  };
}
