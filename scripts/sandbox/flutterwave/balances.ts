import type { Endpoint, SandboxContext } from '../context.ts';
import { toNaira } from '../naira.ts';
import type { Account } from '../records.ts';
import { unsettledKobo } from '../settlements.ts';
import { ok, refuse } from './answers.ts';

/** `GET /balances`. */
export const getBalances: Endpoint = {
  method: 'get',
  path: '/balances',
  async handle(context, { account }) {
    return ok('Wallet balances fetched', [await nairaWallet(context, account)]);
  },
};

/** `GET /balances/{currency}`. */
export const getBalance: Endpoint = {
  method: 'get',
  path: '/balances/:currency',
  async handle(context, { account, params }) {
    if (params.currency !== 'NGN') return refuse(400, 'No wallet of this currency');
    return ok('Wallet balance fetched', await nairaWallet(context, account));
  },
};

/** What was not paid out yet is on the ledger; the sandbox makes none of it available earlier. */
async function nairaWallet(context: SandboxContext, account: Account): Promise<object> {
  return {
    currency: 'NGN',
    available_balance: 0,
    ledger_balance: toNaira(await unsettledKobo(context.sql, account)),
  };
}
