import { askNewDisputes } from '../../../domain/payments/facts/ask-about-disputes.ts';
import { ProviderError } from '../../../domain/providers/port/provider-error.ts';
import { DAY_MS } from '../../../domain/shared/units.ts';
import { disputePayment } from '../../sandbox/disputes.ts';
import type { Business } from './business.ts';
import type { Past } from './past.ts';
import { paymentOf, type Sale } from './sale.ts';

/** The payer's bank disputes a sale, or decides its dispute, and the service learns of it. */
export async function dispute(
  past: Past,
  business: Business,
  sale: Sale,
  outcome?: 'won' | 'lost',
): Promise<void> {
  const answer = disputePayment(past.sandbox, paymentOf(past, business, sale), { outcome });
  if (typeof answer === 'string') throw new Error(`SV-${sale.number} is ${answer}.`);
  const { inTx, timeouts } = past.context;
  const { connection } = business.accounts[sale.slot];
  const asked = {
    inTx,
    provider: past.context.providerOf(connection, 'check'),
    connectionId: connection.id,
  };
  const since = new Date(answer.createdAt.getTime() - DAY_MS);
  const listed = await askNewDisputes(asked, since, { timeoutMs: timeouts.verifyMs });
  if (listed instanceof ProviderError) throw listed;
}
