import { findConnection } from '../../../domain/accounts/connection/connection.ts';
import { askTimes } from '../../../domain/jobs.ts';
import type { NewCharge } from '../../../domain/payments/charge/row.ts';
import { Attempt } from '../../../domain/payments/entities/attempt.ts';
import { askAboutAttempt } from '../../../domain/payments/facts/ask-about-attempt.ts';
import { ProviderError } from '../../../domain/providers/port/provider-error.ts';
import type { Slot } from '../../../domain/shared/slot.ts';
import type { Tx } from '../../../domain/shared/tx.ts';
import { SECOND_MS } from '../../../domain/shared/units.ts';
import { createCharge as createAtProvider } from '../../../workers/charge-create.ts';
import { runJob } from '../../../workers/run-job.ts';
import {
  findPayable,
  findPaymentByReference,
  type PayerAction,
  payOrDecline,
} from '../../sandbox/payments.ts';
import type { Payment } from '../../sandbox/records.ts';
import { orderCharge } from '../order-charge.ts';
import type { Story } from './story.ts';

/** A charge of the past with its attempt. */
export type Sale = Awaited<ReturnType<typeof openAtProvider>>;

/** What is sold, to whom, and through which provider it is collected. */
export type Order = { slot: Slot } & Pick<
  NewCharge,
  'amount_kobo' | 'email' | 'name' | 'phone' | 'description' | 'merchant_reference'
>;

/** Creates a charge, as a request to the API does, without asking its provider yet. */
export function order(
  { context, now, secretKey }: Story,
  { slot, ...given }: Order,
  enqueue: Tx['enqueue'] = () => {},
) {
  const provider_wanted = slot === 'provider_a' ? 'auto' : slot;
  const wanted = { ...given, provider_wanted } as const;
  return orderCharge({ sql: context.db, enqueue }, now(), secretKey, wanted);
}

/** Creates a charge and opens it at its provider. */
export async function openSale(story: Story, wanted: Order): Promise<Sale> {
  const { chargeId, attemptId } = await order(story, wanted);
  return openAtProvider(story, chargeId, attemptId);
}

export async function openAtProvider(story: Story, chargeId: string, attemptId: string) {
  story.pass(SECOND_MS);
  await runJob(story.context, createAtProvider, { id: attemptId });
  const attempt = await story.tx(({ em }) => em.findOneOrFail(Attempt, { id: attemptId }));
  const [, number] = attempt.reference.split('-');
  return { chargeId, number: Number(number), attempt, slot: attempt.slot as Slot };
}

/** The payer pays, all of it or another amount, or is declined, and the service learns of it. */
export async function pay(
  story: Story,
  sale: Sale,
  action: Omit<PayerAction, 'outcome'> & Partial<Pick<PayerAction, 'outcome'>>,
): Promise<void> {
  const { sandbox } = story;
  const page = findPayable(sandbox, sale.attempt.reference);
  if (!page || !payOrDecline(sandbox, page, { outcome: 'success', ...action }))
    throw new Error(`${sale.attempt.reference} takes no money.`);
  story.pass(2 * SECOND_MS);
  await verify(story, sale);
}

/** Asks the provider what became of a payment. */
export async function verify({ context }: Story, { attempt }: Pick<Sale, 'attempt'>) {
  const { db, timeouts } = context;
  const provider = context.providerOf((await findConnection(db, attempt.connection_id))!, 'check');
  const answer = await askAboutAttempt({ ...context, provider }, attempt, askTimes(timeouts));
  if (answer instanceof ProviderError) throw answer;
}

/** The paid payment of a sale at the sandbox. */
export function paymentOf({ sandbox, accounts }: Story, { slot, attempt }: Sale): Payment {
  return findPaymentByReference(sandbox.store, accounts[slot].account, attempt.reference)!;
}
