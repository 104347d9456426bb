import type { ChargeStatus } from '../../../domain/payments/charge/transitions.ts';
import { sentence } from '../format.ts';

const sentences: Record<ChargeStatus, string> = {
  initiated: 'The charge was created.',
  pending: 'The payer can pay.',
  succeeded: 'The payment succeeded.',
  settled: 'The money was paid out to your bank.',
  failed: 'The payment failed.',
  refunded: 'The whole payment was refunded.',
  disputed: 'The payer’s bank asks for the payment back.',
};

/** What an entry of a timeline says that has no sentence of its own. */
export function happened(what: string): string {
  return sentences[what.replace('charge.', '') as ChargeStatus] ?? sentence(what);
}
