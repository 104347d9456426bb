import { listAccounts } from '../accounts.ts';
import type { Account, SettlementStatus } from '../records.ts';
import { hasUnsettled } from '../settlements.ts';
import { type Payout, settleAccount } from '../settling.ts';
import type { Answer, World } from '../world.ts';
import {
  accountField,
  type ControlRoute,
  koboField,
  ok,
  providerField,
  refuse,
  statusField,
  timeField,
} from './route.ts';
import { type Oddities, oddityFields, readOddities } from './settle-oddities.ts';
import { summariseSettlement } from './settlement-summary.ts';

interface Input extends Oddities {
  provider?: string;
  account_id?: number;
  short_by_kobo?: number;
  deduct_kobo?: number;
  status?: SettlementStatus;
  at?: string;
  notify?: boolean;
}

/** Pays out: one settlement per account with unsettled money, or of the one account named. Everything else it is told, it does to each. */
export const settle: ControlRoute = {
  method: 'post',
  path: '/settle',
  fields: {
    provider: providerField,
    account_id: accountField,
    short_by_kobo: koboField,
    deduct_kobo: koboField,
    ...oddityFields,
    status: statusField,
    at: timeField,
    notify: { type: 'boolean' },
  },
  async handle(world: World, input: Input): Promise<Answer> {
    const accounts = await findAccounts(world, input);
    if (input.account_id !== undefined && accounts.length === 0)
      return refuse(404, `account_id ${input.account_id} is no account here`);
    const oddities = await readOddities(world, accounts, input);
    if ('status' in oddities) return oddities;
    const payout = { ...toPayout(input, world.now()), ...oddities };
    const settlements = [];
    for (const account of accounts) {
      const settlement = await settleAccount(world, account, payout);
      if (settlement) settlements.push(summariseSettlement(world, account, settlement));
    }
    return ok({ data: settlements });
  },
};

async function findAccounts(world: World, { provider, account_id: id }: Input): Promise<Account[]> {
  const accounts = await listAccounts(world.sql, provider);
  if (id !== undefined) return accounts.filter((account) => account.id === id);
  const waiting = await Promise.all(accounts.map((account) => hasUnsettled(world.sql, account)));
  return accounts.filter((_, i) => waiting[i]);
}

function toPayout(input: Input, now: Date): Omit<Payout, 'leftOut' | 'lines' | 'foreign'> {
  return {
    at: input.at === undefined ? now : new Date(input.at),
    status: input.status ?? 'landed',
    shortByKobo: input.short_by_kobo ?? 0,
    deductKobo: input.deduct_kobo ?? 0,
    told: input.notify ?? true,
  };
}
