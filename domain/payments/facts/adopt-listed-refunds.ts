import type { Provider } from '../../providers/port/provider.ts';
import { onlyProviderError, ProviderError } from '../../providers/port/provider-error.ts';
import type { ProviderRefund } from '../../providers/port/refund.ts';
import type { Sql } from '../../shared/sql.ts';
import type { InTx } from '../../shared/tx.ts';
import {
  findUnrecorded,
  markRecorded,
  type UnrecordedRefund,
} from '../refund-listing/unrecorded.ts';
import { recordListedRefunds } from './record-listed-refunds.ts';

export interface AdoptContext {
  db: Sql;
  inTx: InTx;
  clock: () => Date;
  provider: Provider;
  connectionId: string;
  timeoutMs: number;
  hasTime: () => boolean;
}

/** So that many use up no budget of calls. */
const MOST_ASKED = 10;

/**
 * Records refunds made at the provider, asking about each once. `isMore`: the next run continues.
 */
export async function adoptListedRefunds(
  context: AdoptContext,
): Promise<{ isMore: boolean; error: ProviderError | null }> {
  const { db, clock, connectionId } = context;
  const unrecorded = await findUnrecorded({ sql: db, now: clock() }, connectionId, MOST_ASKED);
  for (const refund of unrecorded) {
    if (!context.hasTime()) return { isMore: true, error: null };
    const error = await adopt(context, refund);
    if (error) return { isMore: true, error };
  }
  return { isMore: unrecorded.length === MOST_ASKED, error: null };
}

async function adopt(context: AdoptContext, refund: UnrecordedRefund) {
  const { connectionId, inTx } = context;
  const { providerPaymentId } = refund.payment;
  const found = await ask(context, refund);
  if (found instanceof ProviderError) return found;
  await inTx(async (tx) => {
    const listed = found ? [{ ...found, refundId: found.refundId ?? refund.refundId }] : [];
    await recordListedRefunds(tx, { connectionId, providerPaymentId }, listed);
    await markRecorded(tx, connectionId, refund);
  });
  return undefined;
}

function ask(
  { provider, timeoutMs }: AdoptContext,
  { refundId, providerRefundId, payment }: UnrecordedRefund,
): Promise<ProviderRefund | ProviderError | undefined> {
  const wanted = { refundId: refundId ?? '', providerRefundId, payment };
  return provider.findRefund(wanted, { timeoutMs }).catch(onlyProviderError);
}
