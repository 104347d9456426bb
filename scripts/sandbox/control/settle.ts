import { listAccounts } from '../accounts.ts';
import type { Account } from '../records.ts';
import { settleAccount } from '../settlements.ts';
import type { Answer, World } from '../world.ts';
import { type ControlRoute, koboField, ok, providerField } from './route.ts';

interface Input {
  provider?: string;
  short_by_kobo?: number;
}

/** Pays out: one settlement per account with unsettled money. */
export const settle: ControlRoute = {
  method: 'post',
  path: '/settle',
  fields: { provider: providerField, short_by_kobo: koboField },
  async handle(world: World, { provider, short_by_kobo: shortByKobo = 0 }: Input): Promise<Answer> {
    const settlements = [];
    for (const account of await listAccounts(world.sql, provider)) {
      settlements.push(...(await settleOne(world, account, shortByKobo)));
    }
    return ok({ data: settlements });
  },
};

async function settleOne(world: World, account: Account, shortByKobo: number): Promise<object[]> {
  const settlement = await settleAccount(world, account, shortByKobo);
  if (!settlement) return [];
  const { id, grossKobo, feeKobo, deductionsKobo, landedKobo } = settlement;
  const amounts = { gross_kobo: grossKobo, fee_kobo: feeKobo, deductions_kobo: deductionsKobo, landed_kobo: landedKobo };
  return [{ id, provider: account.provider, account_id: account.id, ...amounts }];
}
