import type { DisputeQuery } from '../../providers/port/dispute.ts';
import type { PaidPayment } from '../../providers/port/payment.ts';
import type { CallOptions, Provider } from '../../providers/port/provider.ts';
import { onlyProviderError, ProviderError } from '../../providers/port/provider-error.ts';
import type { InTx } from '../../shared/tx.ts';
import { recordDispute } from './record-dispute.ts';

/** Which provider is asked about disputes, and what the answers are written with. */
export interface DisputeContext {
  inTx: InTx;
  provider: Provider;
  /** The connection the provider was opened for. */
  connectionId: string;
}

/** The disputes a provider listed. */
export interface ListedDisputes {
  /** The provider's own ids of them. */
  providerDisputeIds: string[];
}

/**
 * Asks a provider for the disputes of one payment and records them. Returns what it listed, or the
 * error where it did not answer: then nothing is written.
 */
export function askDisputes(
  context: DisputeContext,
  payment: PaidPayment,
  options: CallOptions,
): Promise<ListedDisputes | ProviderError> {
  return ask(context, { payment }, options);
}

/**
 * Asks a provider for every dispute that began since then, and records those of payments that are
 * on record.
 */
export function askNewDisputes(
  context: DisputeContext,
  since: Date,
  options: CallOptions,
): Promise<ListedDisputes | ProviderError> {
  return ask(context, { since }, options);
}

async function ask(
  { inTx, provider, connectionId }: DisputeContext,
  query: DisputeQuery,
  options: CallOptions,
): Promise<ListedDisputes | ProviderError> {
  const disputes = await provider.listDisputes(query, options).catch(onlyProviderError);
  if (disputes instanceof ProviderError) return disputes;
  for (const dispute of disputes) await inTx((tx) => recordDispute(tx, connectionId, dispute));
  return { providerDisputeIds: disputes.map(({ providerDisputeId }) => providerDisputeId) };
}
