import { startTaskNow } from '../../accounts/connection/tasks.ts';
import type { PaidPayment } from '../../providers/port/payment.ts';
import type { Provider } from '../../providers/port/provider.ts';
import { ProviderError } from '../../providers/port/provider-error.ts';
import type { ProviderRefund, WantedRefund } from '../../providers/port/refund.ts';
import { timeLeft } from '../../shared/time-left.ts';
import type { InTx } from '../../shared/tx.ts';
import { findListed, type ListedOfPayment } from './store.ts';
import { updateCopy } from './update-copy.ts';

export interface AskingContext {
  inTx: InTx;
  clock: () => Date;
  provider: Provider;
  connectionId: string;
  timeoutMs: number;
  totalMs: number;
}

/**
 * Every refund of a payment, whoever created it; from an account's copy without those completed on
 * record. Throws a `ProviderError` rather than leave another one out.
 */
export async function listRefundsOf(context: AskingContext, payment: PaidPayment) {
  const { provider, timeoutMs, totalMs } = context;
  if (provider.listRefunds) return provider.listRefunds(payment, { timeoutMs, totalMs });
  const within = timeOfCall(context);
  const listed = await listedOf(context, payment, within);
  const refunds: ProviderRefund[] = [];
  const unfinished = listed.filter(({ isCompleted }) => !isCompleted);
  for (let at = 0; at < unfinished.length; at += ASKED_AT_ONCE) {
    const asked = unfinished.slice(at, at + ASKED_AT_ONCE);
    refunds.push(...(await Promise.all(asked.map((row) => ask(context, payment, row, within())))));
  }
  return refunds;
}

/** A payment has few uncompleted refunds. */
const ASKED_AT_ONCE = 5;

/** Undefined: the provider surely has none. Throws a `ProviderError` where it is not known. */
export async function findRefundOf(
  context: AskingContext,
  wanted: WantedRefund,
): Promise<ProviderRefund | undefined> {
  const { provider, timeoutMs, totalMs } = context;
  if (provider.listRefunds || wanted.providerRefundId !== null)
    return provider.findRefund(wanted, { timeoutMs, totalMs });
  const within = timeOfCall(context);
  const listed = await listedOf(context, wanted.payment, within);
  const found = listed.find(({ refundId }) => refundId === wanted.refundId);
  return found && ask(context, wanted.payment, found, within());
}

/** Before a refund is sent; more pages are left to the task. */
const MOST_PAGES = 10;
const BEHIND_MS = 5_000;

/** The copy is brought up to date first. */
async function listedOf(
  context: AskingContext,
  { providerPaymentId, capturedAt }: PaidPayment,
  within: () => number,
): Promise<ListedOfPayment[]> {
  const { inTx, connectionId } = context;
  const mayRead = (pagesRead: number) => pagesRead < MOST_PAGES && within() > 1;
  const { result } = await updateCopy({ ...context, timeoutMs: within, mayRead }, capturedAt);
  if (result instanceof ProviderError) throw result;
  if (result === 'behind') {
    await inTx((tx) => startTaskNow(tx, connectionId, 'refunds'));
    const message = 'the refunds of the account are still being read';
    throw new ProviderError('unavailable', STAGE, message, { retryAfterMs: BEHIND_MS });
  }
  return inTx((tx) => findListed(tx, connectionId, providerPaymentId));
}

/** The list names our id where the record may not. */
async function ask(
  { provider }: AskingContext,
  payment: PaidPayment,
  { providerRefundId, refundId }: ListedOfPayment,
  timeoutMs: number,
): Promise<ProviderRefund> {
  const wanted = { refundId: refundId ?? '', providerRefundId, payment };
  const found = await provider.findRefund(wanted, { timeoutMs });
  if (found) return { ...found, refundId: found.refundId ?? refundId };
  throw new ProviderError('unknown', STAGE, `refund ${providerRefundId} is listed and not found`);
}

const STAGE = 'list refunds';

/** At most what is left for all calls. */
function timeOfCall({ clock, timeoutMs, totalMs }: AskingContext): () => number {
  const leftMs = timeLeft(clock, totalMs);
  return () => Math.min(timeoutMs, leftMs());
}
