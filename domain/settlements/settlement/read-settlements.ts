import type { CaptureRow } from '../../payments/capture/capture.ts';
import { isDeferral, ProviderError } from '../../providers/port/provider-error.ts';
import type { ProviderSettlement } from '../../providers/port/settlement.ts';
import { lagosDay } from '../../shared/lagos.ts';
import { capabilitiesOf } from '../account/account.ts';
import type { SettlementContext, Span } from './context.ts';
import { catchProviderError, type ReadResult, readAllLines } from './read-lines.ts';
import { recordStatement } from './record-statement.ts';
import { tryAgain } from './unreadable.ts';

/** Moves `position` on, and adds to `pending`. */
export function readSettlements(
  context: SettlementContext,
  position: Span,
  pending: ProviderSettlement[],
): Promise<ReadResult> {
  return catchProviderError(async () => {
    if (!position.isListed) await readList(context, position, pending);
    await tryAgain(context, position);
    const lines = await readAllLines(context);
    if (!lines.isDone || !position.isListed) return { ...lines, isDone: false };
    return capabilitiesOf(context.account).settlements === 'list' ? lines : askByPayment(context);
  });
}

/** More means wrong cursors. */
const MAX_PAGES = 1_000;

async function readList(context: SettlementContext, position: Span, pending: ProviderSettlement[]) {
  const { provider, timeoutMs } = context;
  let pages = 0;
  do {
    if (++pages > MAX_PAGES)
      throw new ProviderError(
        'unknown',
        'settlements',
        `the list has more than ${MAX_PAGES} pages`,
      );
    const { from, to, cursor = null } = position;
    const page = await provider.listSettlements({ from, to, cursor }, { timeoutMs });
    for (const stated of page.rows) await record(context, stated);
    pending.push(...page.rows.filter(({ state }) => state === 'pending'));
    Object.assign(position, { cursor: page.next, isListed: page.next === null });
  } while (!position.isListed && context.hasTime());
}

function record(context: SettlementContext, stated: ProviderSettlement): Promise<void> {
  return context.inTx((tx) => recordStatement(tx, context.account, stated));
}

const MAX_ASKED = 20;

/**
 * Notifications may be lost where there is no list: asks about one overdue payment of each day,
 * another one each run, for one may be in no settlement.
 */
async function askByPayment(context: SettlementContext): Promise<ReadResult> {
  let [failure, hasAnswer]: [ProviderError | null, boolean] = [null, false];
  for (const { id, provider_payment_id: paymentId } of await overduePayments(context)) {
    if (!context.hasTime()) return { isDone: false, error: null };
    if (await isPaidOut(context, id)) continue;
    const stated = await findSettlement(context, paymentId);
    if (stated instanceof ProviderError) {
      failure ??= stated;
      continue;
    }
    hasAnswer = true;
    if (!stated) continue;
    await record(context, stated);
    const lines = await readAllLines(context);
    if (!lines.isDone) return lines;
  }
  return hasAnswer ? { isDone: true, error: null } : { isDone: failure === null, error: failure };
}

/** Throws where no other can be asked about either. */
async function findSettlement({ provider, timeoutMs }: SettlementContext, paymentId: string) {
  try {
    return await provider.findSettlement(paymentId, { timeoutMs });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (isDeferral(error) || error.refusesCredentials) throw error;
    return error;
  }
}

function overduePayments({ db, account, clock }: SettlementContext) {
  const now = clock();
  return db.query<Pick<CaptureRow, 'id' | 'provider_payment_id'>>(
    `select distinct on (settles_on) id, provider_payment_id from captures
     where connection_id = $1 and settlement_id is null and settles_on < $2
     order by settles_on desc, md5(id || $3) limit ${MAX_ASKED}`,
    [account.id, lagosDay(now), now.toISOString()],
  );
}

async function isPaidOut({ db }: SettlementContext, captureId: string): Promise<boolean> {
  const rows = await db.query(
    'select 1 from captures where id = $1 and settlement_id is not null',
    [captureId],
  );
  return rows.length > 0;
}
