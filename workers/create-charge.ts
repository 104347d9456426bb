import type { Context, StoredConnection } from '../config/context.ts';
import { askAttempt } from '../domain/attempt/ask.ts';
import { type AttemptNews, recordAttempt } from '../domain/attempt/record.ts';
import type { AttemptRow } from '../domain/attempt/row.ts';
import { nextCreateAt } from '../domain/attempt/schedule.ts';
import type { ChargeRow } from '../domain/charge/row.ts';
import { checkoutIdOf } from '../domain/ids.ts';
import { type HostedPayment, type Provider, ProviderError } from '../domain/providers/provider.ts';
import { type Duty, done, later, type Outcome } from './pool.ts';

/**
 * Asks the provider to make the hosted payment an attempt promises. No reference is sent again once the provider accepted it: whatever
 * may have been sent before is asked about first.
 */
export const createCharge: Duty<AttemptRow> = {
  queue: 'charge-create',
  marks: 'sent_at = coalesce(sent_at, $4)',
  work: create,
};

interface Work {
  context: Context;
  attempt: AttemptRow;
  charge: ChargeRow;
  provider: Provider;
  /** The charge takes no more payments: nothing new is sent for it. */
  isOver: boolean;
}

async function create(context: Context, attempt: AttemptRow): Promise<Outcome> {
  const work = await load(context, attempt);
  const mayHaveBeenSent = attempt.tries > 1;
  return (mayHaveBeenSent && (await clearUp(work))) || send(work);
}

async function load(context: Context, attempt: AttemptRow): Promise<Work> {
  const [row] = await context.db.query<ChargeRow & { connection: StoredConnection }>(
    'select charges.*, row_to_json(connections) as connection from charges, connections where charges.id = $1 and connections.id = $2',
    [attempt.charge_id, attempt.connection_id],
  );
  const charge = row!;
  const isOver = (charge.status !== 'initiated' && charge.status !== 'pending') || charge.expires_at <= context.clock();
  return { context, attempt, charge, provider: context.providerOf(charge.connection), isOver };
}

async function send(work: Work): Promise<Outcome> {
  const { context, attempt } = work;
  if (work.isOver) return record(work, { type: 'ended', message: 'The charge was over before the payment was made at the provider.' });
  const payment = await callCreate(work);
  if (!(payment instanceof ProviderError)) return record(work, { type: 'accepted', ...payment });
  switch (payment.kind) {
    case 'refused':
      return record(work, { type: 'refused', message: payment.message });
    case 'retryable':
      return later(nextCreateAt(attempt.tries, context.clock()), payment.message);
    case 'duplicate':
    case 'unknown':
      return (await clearUp(work)) ?? later(nextCreateAt(attempt.tries, context.clock()), payment.message);
  }
}

async function callCreate({ context, attempt, charge, provider }: Work): Promise<HostedPayment | ProviderError> {
  const order = {
    reference: attempt.reference,
    amountKobo: charge.amount_kobo,
    currency: charge.currency,
    email: charge.email,
    name: charge.name,
    phone: charge.phone,
    description: charge.description,
    callbackUrl: `${context.env.publicUrl}/pay/${checkoutIdOf(charge.id)}?returned=1`,
  };
  return provider.create(order, { timeoutMs: context.timeouts.createMs }).catch((error: unknown) => {
    if (error instanceof ProviderError) return error;
    throw error;
  });
}

/**
 * Finds out what became of a reference that may have been sent. Undefined: the provider does not know it and it may be sent. Where it
 * is known, or cannot be sent again, its link is lost: the attempt stays watched and another takes its place.
 */
async function clearUp(work: Work): Promise<Outcome | undefined> {
  const { context, attempt, provider } = work;
  const verification = await askAttempt({ atomically: context.atomically, provider }, attempt, context.timeouts.verifyMs);
  if (verification instanceof ProviderError) return later(nextCreateAt(attempt.tries, context.clock()), verification.message);
  if (verification.state === 'absent' && provider.rejectsDuplicates) return undefined;
  return record(work, { type: 'link lost', message: 'The provider may hold this payment, but its link did not reach us.' });
}

async function record({ context, attempt }: Work, news: AttemptNews): Promise<Outcome> {
  await context.atomically((phase) => recordAttempt(phase, attempt.id, news));
  return done;
}
