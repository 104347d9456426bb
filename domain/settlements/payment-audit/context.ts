import type { AskTimes } from '../../jobs.ts';
import type { RecordFact } from '../../payments/facts/record-together.ts';
import type { Provider } from '../../providers/port/provider.ts';
import type { SettlementContext } from '../settlement/context.ts';

export interface AuditContext extends SettlementContext {
  provider: Provider;
  askTimes: AskTimes;
  recordFact: RecordFact;
}

/** How far a comparison came. The cursor stays valid for days. */
export interface AuditSpan {
  from: Date;
  to: Date;
  cursor: string | null;
  isListed: boolean;
}
