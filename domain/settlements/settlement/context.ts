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
  /** True: settlements that could not be read are tried again at once, however long they failed. */
  triesAllAgain?: boolean;
  /** False once it is time to stop. The next run continues where this one stopped. */
  hasTime: () => boolean;
}

/** The dates of the settlements to read from a provider, and how far its list was read. */
export interface Span {
  from: Date;
  to: Date;
  /** Where the next page begins; null or absent: with the first one. It stays valid for days. */
  cursor?: string | null;
  isListed?: boolean;
}

export interface RunResult {
  isDone: boolean;
  error: ProviderError | null;
  /** The span to continue with; null: the next run begins its own. */
  rest: Span | null;
}
