import { unsettledKobo } from '../settlements.ts';
import type { Endpoint } from '../world.ts';
import { ok } from './answers.ts';

/** `GET /balance`: what was not paid out yet. */
export const getBalance: Endpoint = {
  method: 'get',
  path: '/balance',
  async handle(world, { account }) {
    return ok('Balances retrieved', [
      { currency: 'NGN', balance: await unsettledKobo(world.sql, account) },
    ]);
  },
};
