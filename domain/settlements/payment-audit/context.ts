import type { Provider } from '../../providers/provider.ts';
import type { SettlementContext } from '../settlement/context.ts';

/** What a payment audit of one connection depends on. */
export interface AuditContext extends SettlementContext {
  provider: Provider;
  verifyMs: number;
}

/** Which payments, by their time, and how far the provider's list was read. Good for days. */
export interface AuditSpan {
  from: Date;
  to: Date;
  cursor: string | null;
  isListed: boolean;
}
