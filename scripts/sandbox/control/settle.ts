import Type from 'typebox';
import { accountOf, listAccounts } from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import type { Settlement } from '../records.ts';
import { changeSettlement, settleAccount, waitingPayments } from '../settlements.ts';
import {
  account,
  flag,
  kobo,
  ok,
  operation,
  provider,
  refuse,
  settlementStatus,
  snakeCase,
  time,
} from './operation.ts';
import { lineChangeFields, readLineChanges } from './settle-changes.ts';

const settleFields = {
  provider: Type.Optional(provider),
  account_id: account,
  short_by_kobo: Type.Optional(kobo(0)),
  deduct_kobo: Type.Optional(kobo(0)),
  ...lineChangeFields,
  status: settlementStatus,
  at: time,
  notify: flag,
};

/** Pays out: one settlement per account with unsettled money, or of the one account named. */
export const settle = operation('post', '/settle', settleFields, (context, input) => {
  const { store, now } = context;
  const { account_id: id, at, status = 'landed', notify = true } = input;
  const accounts = listAccounts(store, input.provider).filter((known) =>
    id === undefined ? waitingPayments(store, known).length > 0 : known.id === id,
  );
  if (id !== undefined && accounts.length === 0)
    return refuse(404, `account_id ${id} is no account here`);
  const changes = readLineChanges(store, accounts, input);
  const payout = {
    ...{ status, notify, ...changes, at: at === undefined ? now() : new Date(at) },
    ...{ shortByKobo: input.short_by_kobo ?? 0, deductKobo: input.deduct_kobo ?? 0 },
  };
  const settlements = accounts.flatMap((known) => settleAccount(context, known, payout) ?? []);
  return ok({ data: settlements.map((settlement) => summarise(context, settlement)) });
});

const changeFields = {
  id: Type.Unsafe<number | string>({
    ...{ type: ['integer', 'string'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    pattern: '^(STL)?\\d{1,15}$',
  }),
  status: settlementStatus,
  landed_kobo: Type.Optional(kobo(0)),
  at: time,
  notify: flag,
};

/** What becomes of a payout later: it lands, bounces, or is topped up. */
export const settlement = operation('post', '/settlement', changeFields, (context, input) => {
  const { id, status, landed_kobo: landedKobo, at, notify = true } = input;
  if (status === undefined && landedKobo === undefined)
    return refuse(400, 'status or landed_kobo is required');
  const found = context.store.settlement.get(Number(String(id).replace('STL', '')));
  if (!found) return refuse(404, `no settlement of id ${id}`);
  const then = at === undefined ? context.now() : new Date(at);
  changeSettlement(context, found, { status, landedKobo, notify, at: then });
  return ok(summarise(context, found));
});

function summarise({ store, providers }: SandboxContext, payout: Settlement): object {
  const { provider: name } = accountOf(store, payout);
  return {
    provider: name,
    provider_settlement_id: providers[name].settlementName?.(payout) ?? String(payout.id),
    line_count: payout.paymentIds.length,
    ...snakeCase(payout, 'id', 'accountId', 'status', 'grossKobo', 'feeKobo', 'deductionsKobo'),
    ...snakeCase(payout, 'landedKobo', 'createdAt', 'landedAt'),
  };
}
