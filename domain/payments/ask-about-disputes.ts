import {
  type DisputeQuery,
  type PaidPayment,
  type Provider,
  ProviderError,
} from '../providers/provider.ts';
import type { InTx } from '../shared/tx.ts';
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
 * Asks a provider about the disputes of one payment and records how they stand. Returns what it
 * listed, or what went wrong when there was no answer: silence changes nothing.
 */
export function askDisputes(
  context: DisputeContext,
  payment: PaidPayment,
  timeoutMs: number,
): Promise<ListedDisputes | ProviderError> {
  return ask(context, { payment }, timeoutMs);
}

/**
 * Asks a provider about every dispute that began since a moment, and records those of payments we
 * hold.
 */
export function askNewDisputes(
  context: DisputeContext,
  since: Date,
  timeoutMs: number,
): Promise<ListedDisputes | ProviderError> {
  return ask(context, { since }, timeoutMs);
}

async function ask(
  { inTx, provider, connectionId }: DisputeContext,
  query: DisputeQuery,
  timeoutMs: number,
): Promise<ListedDisputes | ProviderError> {
  const disputes = await provider.listDisputes(query, { timeoutMs }).catch((error: unknown) => {
    if (error instanceof ProviderError) return error;
    throw error;
  });
  if (disputes instanceof ProviderError) return disputes;
  for (const dispute of disputes) await inTx((tx) => recordDispute(tx, connectionId, dispute));
  return { providerDisputeIds: disputes.map(({ providerDisputeId }) => providerDisputeId) };
}
