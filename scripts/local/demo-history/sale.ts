import { findConnection } from '../../../domain/accounts/connection/connection.ts';
import { askTimes } from '../../../domain/jobs.ts';
import { createCharge } from '../../../domain/payments/charge/create.ts';
import { blankCharge, type NewCharge } from '../../../domain/payments/charge/row.ts';
import { Attempt } from '../../../domain/payments/entities/attempt.ts';
import { askAboutAttempt } from '../../../domain/payments/facts/ask-about-attempt.ts';
import { ProviderError } from '../../../domain/providers/port/provider-error.ts';
import { newId } from '../../../domain/shared/ids.ts';
import { CURRENCY } from '../../../domain/shared/money.ts';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import type { Slot } from '../../../domain/shared/slot.ts';
import type { Tx } from '../../../domain/shared/tx.ts';
import { SECOND_MS } from '../../../domain/shared/units.ts';
import { createCharge as createAtProvider } from '../../../workers/charge-create.ts';
import { runJob } from '../../../workers/pool.ts';
import { findPayable, findPaymentByReference, payOrDecline } from '../../sandbox/payments.ts';
import type { Channel, Payment } from '../../sandbox/records.ts';
import type { Business } from './business.ts';
import type { Past } from './past.ts';

/** A charge of the past with its attempt. */
export interface Sale {
  chargeId: string;
  number: number;
  attempt: { id: string; reference: string; connection_id: string };
  slot: Slot;
}

export interface Order
  extends Pick<NewCharge, 'amount_kobo' | 'email' | 'name' | 'phone' | 'description'> {
  merchant_reference: string | null;
  slot: Slot;
}

/** Creates a charge, as a request to the API does, without asking its provider yet. */
export async function order(
  { context, now }: Past,
  { secretKey }: Business,
  { slot, ...given }: Order,
  enqueue: Tx['enqueue'] = () => {},
): Promise<{ chargeId: string; attemptId: string }> {
  const at = now();
  const charge: NewCharge = {
    ...blankCharge,
    ...given,
    ...{ id: newId('txn', at), mode: 'test', currency: CURRENCY, metadata: {} },
    provider_wanted: slot === 'provider_a' ? 'auto' : slot,
    expires_at: new Date(at.getTime() + context.env.chargeLifetimeMs),
  };
  const asker = {
    ...{ sha256: sha256Of(secretKey), roles: ['secret' as const], origin: null },
    idempotency: undefined,
  };
  const request = { asker, charge, answerTemplate: '{}', now: at };
  const created = await createCharge({ sql: context.db, enqueue }, request);
  return { chargeId: charge.id, attemptId: created.attemptId! };
}

export async function openSale(past: Past, business: Business, wanted: Order): Promise<Sale> {
  const { chargeId, attemptId } = await order(past, business, wanted);
  return openAtProvider(past, chargeId, attemptId);
}

export async function openAtProvider(
  past: Past,
  chargeId: string,
  attemptId: string,
): Promise<Sale> {
  past.pass(SECOND_MS);
  await runJob(past.context, createAtProvider, { id: attemptId, tries: 0 });
  const attempt = await past.tx(({ em }) => em.findOneOrFail(Attempt, { id: attemptId }));
  const [, number] = attempt.reference.split('-');
  return { chargeId, number: Number(number), attempt, slot: attempt.slot as Slot };
}

/** The payer pays, all of it or another amount, and the service learns of it. */
export async function pay(
  past: Past,
  sale: Sale,
  paid: { channel: Channel; amountKobo?: number },
): Promise<void> {
  act(past, sale, { outcome: 'success', ...paid });
  past.pass(2 * SECOND_MS);
  await verify(past, sale);
}

export async function decline(
  past: Past,
  sale: Sale,
  declined: { channel: Channel; reason: string },
): Promise<void> {
  act(past, sale, { outcome: 'failed', ...declined });
  past.pass(2 * SECOND_MS);
  await verify(past, sale);
}

function act(
  { sandbox }: Past,
  { attempt }: Sale,
  action: Parameters<typeof payOrDecline>[2],
): void {
  const page = findPayable(sandbox, attempt.reference);
  if (!page || !payOrDecline(sandbox, page, action))
    throw new Error(`${attempt.reference} takes no money.`);
}

/** Asks the provider what became of a payment. */
export async function verify({ context }: Past, { attempt }: Pick<Sale, 'attempt'>): Promise<void> {
  const { db, timeouts } = context;
  const provider = context.providerOf((await findConnection(db, attempt.connection_id))!, 'check');
  const answer = await askAboutAttempt({ ...context, provider }, attempt, askTimes(timeouts));
  if (answer instanceof ProviderError) throw answer;
}

/** The paid payment of a sale at the sandbox. */
export function paymentOf({ sandbox }: Past, business: Business, sale: Sale): Payment {
  const { account } = business.accounts[sale.slot];
  return findPaymentByReference(sandbox.store, account, sale.attempt.reference)!;
}
