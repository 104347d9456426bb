import { toNaira } from '../naira.ts';
import type { Account } from '../records.ts';
import { unsettledKobo } from '../settlements.ts';
import type { Endpoint, World } from '../world.ts';
import { ok, refuse } from './answers.ts';

/** `GET /balances`. */
export const getBalances: Endpoint = {
  method: 'get',
  path: '/balances',
  async handle(world, { account }) {
    return ok('Wallet balances fetched', [await nairaWallet(world, account)]);
  },
};

/** `GET /balances/{currency}`. */
export const getBalance: Endpoint = {
  method: 'get',
  path: '/balances/:currency',
  async handle(world, { account, params }) {
    if (params.currency !== 'NGN') return refuse(400, 'No wallet of this currency');
    return ok('Wallet balance fetched', await nairaWallet(world, account));
  },
};

/** What was not paid out yet is on the ledger; the sandbox makes none of it available earlier. */
async function nairaWallet(world: World, account: Account): Promise<object> {
  return {
    currency: 'NGN',
    available_balance: 0,
    ledger_balance: toNaira(await unsettledKobo(world.sql, account)),
  };
}
