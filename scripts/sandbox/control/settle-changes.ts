import { randomInt } from 'node:crypto';
import type { Answer, SandboxContext } from '../context.ts';
import { findPaymentsOf } from '../pay-pages.ts';
import type { Account, Payment } from '../records.ts';
import type { Payout } from '../settle-account.ts';
import { koboField, referenceField, refuse } from './route.ts';

/** What is odd about single payments of a payout. */
export interface LineChanges {
  leave_out?: string[];
  amount_off_kobo?: { reference: string; kobo: number }[];
  fee_off_kobo?: { reference: string; kobo: number }[];
  foreign?: { reference?: string; amount_kobo: number }[];
}

type Read = Pick<Payout, 'leftOut' | 'lines' | 'foreign'>;

const offField = {
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    properties: {
      reference: referenceField,
      kobo: {
        type: 'integer',
        minimum: -Number.MAX_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
      },
    },
    required: ['reference', 'kobo'],
    additionalProperties: false,
  },
};

export const lineChangeFields = {
  leave_out: { type: 'array', maxItems: 1000, items: referenceField },
  amount_off_kobo: offField,
  fee_off_kobo: offField,
  foreign: {
    type: 'array',
    maxItems: 1000,
    items: {
      type: 'object',
      properties: { reference: referenceField, amount_kobo: { ...koboField, minimum: 1 } },
      required: ['amount_kobo'],
      additionalProperties: false,
    },
  },
};

/** A reference that a charge of ours was made under. */
const ours = /^SV-\d+-[0-9a-z]{8}$/;

/** Says what a field's value is not good for. */
class InvalidField extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Finds the payments meant, or answers what is wrong with them: nothing has been paid out by then.
 */
export async function readLineChanges(
  context: SandboxContext,
  accounts: Account[],
  input: LineChanges,
): Promise<Read | Answer> {
  const accountIds = new Set(accounts.map(({ id }) => id));
  try {
    const leftOut = new Set<number>();
    for (const [i, reference] of (input.leave_out ?? []).entries()) {
      for (const { id } of await findWaiting(context, accountIds, `leave_out.${i}`, reference))
        leftOut.add(id);
    }
    const lines = await readLines(context, accountIds, leftOut, input);
    return {
      leftOut: [...leftOut],
      lines,
      foreign: await readForeign(context, accountIds, input.foreign ?? []),
    };
  } catch (error) {
    if (error instanceof InvalidField) return refuse(error.status, error.message);
    throw error;
  }
}

/** Every payment a reference means that is paid and in no settlement, newest first. */
async function findWaiting(
  context: SandboxContext,
  accountIds: Set<number>,
  field: string,
  reference: string,
): Promise<Payment[]> {
  const payments = await findPaymentsOf(context, reference);
  if (payments.length === 0)
    throw new InvalidField(404, `${field}: no payment of reference ${reference}`);
  const waiting = payments.filter(
    ({ accountId, paidKobo, settlementId }) =>
      accountIds.has(accountId) && paidKobo !== null && settlementId === null,
  );
  if (waiting.length === 0)
    throw new InvalidField(409, `${field}: reference ${reference} waits for no payout here`);
  return waiting;
}

async function readLines(
  context: SandboxContext,
  accountIds: Set<number>,
  leftOut: Set<number>,
  input: LineChanges,
): Promise<Payout['lines']> {
  const changes = new Map<number, Payout['lines'][number]>();
  for (const field of ['amount_off_kobo', 'fee_off_kobo'] as const) {
    for (const [i, { reference, kobo }] of (input[field] ?? []).entries()) {
      const payment = (await findWaiting(context, accountIds, `${field}.${i}`, reference))[0]!;
      if (leftOut.has(payment.id))
        throw new InvalidField(400, `${field}.${i}: reference ${reference} is left out`);
      const change = changes.get(payment.id) ?? {
        paymentId: payment.id,
        offKobo: 0,
        feeOffKobo: 0,
      };
      change[field === 'amount_off_kobo' ? 'offKobo' : 'feeOffKobo'] += kobo;
      const [lineKobo, feeKobo] = [
        payment.paidKobo! + change.offKobo,
        payment.feeKobo! + change.feeOffKobo,
      ];
      if (lineKobo < 1 || feeKobo < 0 || feeKobo > lineKobo)
        throw new InvalidField(400, `${field}.${i}.kobo must leave an amount above its fee`);
      changes.set(payment.id, change);
    }
  }
  return [...changes.values()];
}

async function readForeign(
  context: SandboxContext,
  accountIds: Set<number>,
  foreign: NonNullable<LineChanges['foreign']>,
): Promise<Payout['foreign']> {
  const read: Payout['foreign'] = [];
  for (const [
    i,
    { reference = `INV-${randomInt(1_000_000_000)}`, amount_kobo: amountKobo },
  ] of foreign.entries()) {
    if (ours.test(reference))
      throw new InvalidField(
        400,
        `foreign.${i}.reference must not be of the form SV-<n>-<8 characters>`,
      );
    const known = await findPaymentsOf(context, reference);
    if (
      known.some(({ accountId }) => accountIds.has(accountId)) ||
      read.some((other) => other.reference === reference)
    ) {
      throw new InvalidField(409, `foreign.${i}: reference ${reference} is used already`);
    }
    read.push({ reference, amountKobo });
  }
  return read;
}
