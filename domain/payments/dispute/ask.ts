import {
  type DisputeQuery,
  type PaidPayment,
  type Provider,
  ProviderError,
} from '../../providers/provider.ts';
import type { InTx } from '../../shared/tx.ts';
import { recordDispute } from './record.ts';

/** Who is asked about disputes, and where the answers are written. */
export interface DisputeDesk {
  inTx: InTx;
  provider: Provider;
  /** The connection the provider was opened for. */
  connectionId: string;
}

/** What an asked provider told. */
export interface ToldDisputes {
  /** The provider's own ids of them. */
  providerDisputeIds: string[];
}

/**
 * Asks a provider about the disputes of one payment and records how they stand. Returns what it told, or what went wrong when there was
 * no answer: silence changes nothing.
 */
export function askDisputes(
  desk: DisputeDesk,
  payment: PaidPayment,
  timeoutMs: number,
): Promise<ToldDisputes | ProviderError> {
  return ask(desk, { payment }, timeoutMs);
}

/** Asks a provider about every dispute that began since a moment, and records those of payments we hold. */
export function askNewDisputes(
  desk: DisputeDesk,
  since: Date,
  timeoutMs: number,
): Promise<ToldDisputes | ProviderError> {
  return ask(desk, { since }, timeoutMs);
}

async function ask(
  { inTx, provider, connectionId }: DisputeDesk,
  query: DisputeQuery,
  timeoutMs: number,
): Promise<ToldDisputes | ProviderError> {
  const disputes = await provider.listDisputes(query, { timeoutMs }).catch((error: unknown) => {
    if (error instanceof ProviderError) return error;
    throw error;
  });
  if (disputes instanceof ProviderError) return disputes;
  for (const dispute of disputes) await inTx((tx) => recordDispute(tx, connectionId, dispute));
  return { providerDisputeIds: disputes.map(({ providerDisputeId }) => providerDisputeId) };
}
