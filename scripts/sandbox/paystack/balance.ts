import type { Endpoint } from '../context.ts';
import { unsettledKobo } from '../settlements.ts';
import { ok } from './answers.ts';

/** `GET /balance`: what was not paid out yet. */
export const getBalance: Endpoint = {
  method: 'get',
  path: '/balance',
  async handle(context, { account }) {
    return ok('Balances retrieved', [
      { currency: 'NGN', balance: await unsettledKobo(context.sql, account) },
    ]);
  },
};
