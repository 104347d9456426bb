import { randomInt } from 'node:crypto';
import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { findMeant } from '../payments.ts';
import type { Account, Payment } from '../records.ts';
import type { Payout } from '../settlements.ts';
import type { Store } from '../store.ts';
import { kobo, reference, refuse } from './operation.ts';

function listOf<Fields extends TProperties>(fields: Fields) {
  const row = Type.Object(fields, { additionalProperties: false });
  return Type.Optional(Type.Array(row, { maxItems: 1000 }));
}

const off = listOf({ reference, kobo: kobo(-Number.MAX_SAFE_INTEGER) });

/** What is odd about single payments of a payout. */
export const lineChangeFields = {
  leave_out: Type.Optional(Type.Array(reference, { maxItems: 1000 })),
  amount_off_kobo: off,
  fee_off_kobo: off,
  foreign: listOf({ reference: Type.Optional(reference), amount_kobo: kobo(1) }),
};

type LineChanges = Static<TObject<typeof lineChangeFields>>;
type Read = Pick<Payout, 'leftOut' | 'lines' | 'foreign'>;

const ours = /^SV-\d+-[0-9a-z]{8}$/;

/** Finds the payments meant, or refuses before anything is paid out. */
export function readLineChanges(store: Store, accounts: Account[], input: LineChanges): Read {
  const ids = new Set(accounts.map(({ id }) => id));
  const leftOut = (input.leave_out ?? []).flatMap((reference, i) =>
    findWaiting(store, ids, `leave_out.${i}`, reference).map(({ id }) => id),
  );
  const lines = readLines(store, ids, leftOut, input);
  return { leftOut, lines, foreign: readForeign(store, ids, input.foreign ?? []) };
}

function findWaiting(store: Store, accountIds: Set<number>, field: string, reference: string) {
  const payments = findMeant(store, reference);
  if (payments.length === 0) refuse(404, `${field}: no payment of reference ${reference}`);
  const waiting = payments.filter(
    ({ accountId, paidKobo, settlementId }) =>
      accountIds.has(accountId) && paidKobo !== null && settlementId === null,
  );
  if (waiting.length === 0)
    refuse(409, `${field}: reference ${reference} waits for no payout here`);
  return waiting;
}

function readLines(store: Store, accountIds: Set<number>, leftOut: number[], input: LineChanges) {
  const changes = new Map<Payment, Payout['lines'][number]>();
  for (const field of ['amount_off_kobo', 'fee_off_kobo'] as const) {
    for (const [i, { reference, kobo }] of (input[field] ?? []).entries()) {
      const payment = findWaiting(store, accountIds, `${field}.${i}`, reference)[0]!;
      if (leftOut.includes(payment.id))
        refuse(400, `${field}.${i}: reference ${reference} is left out`);
      const change = changes.get(payment) ?? { payment, offKobo: 0, feeOffKobo: 0 };
      change[field === 'amount_off_kobo' ? 'offKobo' : 'feeOffKobo'] += kobo;
      const lineKobo = payment.paidKobo! + change.offKobo;
      const feeKobo = payment.feeKobo! + change.feeOffKobo;
      if (lineKobo < 1 || feeKobo < 0 || feeKobo > lineKobo)
        refuse(400, `${field}.${i}.kobo must leave an amount above its fee`);
      changes.set(payment, change);
    }
  }
  return [...changes.values()];
}

function readForeign(
  store: Store,
  accountIds: Set<number>,
  foreign: NonNullable<LineChanges['foreign']>,
): Payout['foreign'] {
  const read: Payout['foreign'] = [];
  for (const [i, { reference: given, amount_kobo: amountKobo }] of foreign.entries()) {
    const reference = given ?? `INV-${randomInt(1_000_000_000)}`;
    if (ours.test(reference))
      refuse(400, `foreign.${i}.reference must not be of the form SV-<n>-<8 characters>`);
    const isUsed =
      findMeant(store, reference).some(({ accountId }) => accountIds.has(accountId)) ||
      read.some((other) => other.reference === reference);
    if (isUsed) refuse(409, `foreign.${i}: reference ${reference} is used already`);
    read.push({ reference, amountKobo });
  }
  return read;
}
