import { listAccounts } from '../accounts.ts';
import type { Answer, SandboxContext } from '../context.ts';
import type { Account, SettlementStatus } from '../records.ts';
import { type Payout, settleAccount } from '../settle-account.ts';
import { hasUnsettled } from '../settlements.ts';
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
import { type LineChanges, lineChangeFields, readLineChanges } from './settle-changes.ts';
import { summariseSettlement } from './settlement-summary.ts';

interface Input extends LineChanges {
  provider?: string;
  account_id?: number;
  short_by_kobo?: number;
  deduct_kobo?: number;
  status?: SettlementStatus;
  at?: string;
  notify?: boolean;
}

/**
 * Pays out: one settlement per account with unsettled money, or of the one account named. The other
 * fields apply to each.
 */
export const settle: ControlRoute = {
  method: 'post',
  path: '/settle',
  fields: {
    provider: providerField,
    account_id: accountField,
    short_by_kobo: koboField,
    deduct_kobo: koboField,
    ...lineChangeFields,
    status: statusField,
    at: timeField,
    notify: { type: 'boolean' },
  },
  async handle(context: SandboxContext, input: Input): Promise<Answer> {
    const accounts = await findAccounts(context, input);
    if (input.account_id !== undefined && accounts.length === 0)
      return refuse(404, `account_id ${input.account_id} is no account here`);
    const changes = await readLineChanges(context, accounts, input);
    if ('status' in changes) return changes;
    const payout = { ...toPayout(input, context.now()), ...changes };
    const settlements = [];
    for (const account of accounts) {
      const settlement = await settleAccount(context, account, payout);
      if (settlement) settlements.push(summariseSettlement(context, account, settlement));
    }
    return ok({ data: settlements });
  },
};

async function findAccounts(
  context: SandboxContext,
  { provider, account_id: id }: Input,
): Promise<Account[]> {
  const accounts = await listAccounts(context.sql, provider);
  if (id !== undefined) return accounts.filter((account) => account.id === id);
  const waiting = await Promise.all(accounts.map((account) => hasUnsettled(context.sql, account)));
  return accounts.filter((_, i) => waiting[i]);
}

function toPayout(input: Input, now: Date): Omit<Payout, 'leftOut' | 'lines' | 'foreign'> {
  return {
    at: input.at === undefined ? now : new Date(input.at),
    status: input.status ?? 'landed',
    shortByKobo: input.short_by_kobo ?? 0,
    deductKobo: input.deduct_kobo ?? 0,
    notify: input.notify ?? true,
  };
}
