import type { SettlementCalls } from '../../providers/port/provider.ts';
import type { ProviderError } from '../../providers/port/provider-error.ts';
import type { Database } from '../../shared/sql.ts';
import type { InTx } from '../../shared/tx.ts';
import type { SettlementAccount } from '../account/account.ts';

export interface SettlementContext {
  db: Database;
  inTx: InTx;
  clock: () => Date;
  provider: SettlementCalls;
  account: SettlementAccount;
  timeoutMs: number;
  /** Unreadable settlements are tried again at once, however long they failed. */
  triesAllAgain?: boolean;
  hasTime: () => boolean;
}

/** How far the list was read. */
export interface Span {
  from: Date;
  to: Date;
  /** Null or absent: the first page. Valid for days. */
  cursor?: string | null;
  isListed?: boolean;
}

export interface RunResult {
  isDone: boolean;
  error: ProviderError | null;
  /** Null: the next run begins its own span. */
  rest: Span | null;
}
