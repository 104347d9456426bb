import type { Provider } from '../../providers/provider.ts';
import type { PayoutDesk } from '../settlement/reconcile.ts';

/** Who is asked about payments, and where the answers are written. */
export interface AuditDesk extends PayoutDesk {
  provider: Provider;
  verifyMs: number;
}

/** Payments of which time, and how far their list was read. Holds for days: a round that was cut short is gone on with. */
export interface AuditSpan {
  from: Date;
  to: Date;
  cursor: string | null;
  isListed: boolean;
}
