import type { DisputeQuery, ProviderDispute } from '../../providers/port/dispute.ts';
import type { PaidPayment } from '../../providers/port/payment.ts';
import type { CallOptions, Provider } from '../../providers/port/provider.ts';
import { onlyProviderError, ProviderError } from '../../providers/port/provider-error.ts';
import type { InTx } from '../../shared/tx.ts';
import { recordDispute } from './record-dispute.ts';

export interface DisputeContext {
  inTx: InTx;
  provider: Provider;
  connectionId: string;
}

/** Records the disputes of one payment. On an error nothing is written. */
export function askDisputes(context: DisputeContext, payment: PaidPayment, options: CallOptions) {
  return ask(context, { payment }, options);
}

/** Records the disputes that began since then of payments that are on record. */
export function askNewDisputes(context: DisputeContext, since: Date, options: CallOptions) {
  return ask(context, { since }, options);
}

async function ask(
  { inTx, provider, connectionId }: DisputeContext,
  query: DisputeQuery,
  options: CallOptions,
): Promise<ProviderDispute[] | ProviderError> {
  const disputes = await provider.listDisputes(query, options).catch(onlyProviderError);
  if (disputes instanceof ProviderError) return disputes;
  for (const dispute of disputes) await inTx((tx) => recordDispute(tx, connectionId, dispute));
  return disputes;
}
