import {
  type ConnectionName,
  connectionNames,
} from '../../../domain/accounts/connection/connections.ts';
import { intervalOf } from '../../../domain/accounts/tenant/days.ts';
import type { Account } from '../../../domain/journal/moved.ts';
import { type RunningTotal, runningTotals } from '../../../domain/journal/running-totals.ts';
import { type PostedLine, postedLines } from '../../../domain/payments/posting/posted-lines.ts';
import { getBusiness } from '../../business/get-business.ts';
import { daysFields, daysOf } from '../../http/days.ts';
import { query } from '../../http/schema.ts';
import { queryCheckerOf } from '../../http/validation.ts';
import { filledFields } from '../lists.ts';
import type { DashboardRequest } from '../request.ts';

/** What was posted on days of a business. A day that is over never changes. */
export interface Journal {
  /** The first day, if it is not the beginning; what was moved before it. */
  from: string | undefined;
  opening: readonly RunningTotal[];
  lines: AsyncIterable<PostedLine>;
  /** By the id of a connection. */
  names: Map<string, ConnectionName>;
  codeOf: (account: Account) => string;
}

const checkDays = queryCheckerOf(query(daysFields));

/** Of the days that a request names. Throws 422 for days that are none. */
export async function openJournal(request: DashboardRequest): Promise<Journal> {
  const { call, session, now } = request;
  const { account_codes: codes } = await call(getBusiness);
  const given = filledFields(request.query, Object.keys(daysFields));
  checkDays(given);
  const days = daysOf(given);
  const { read } = request.context;
  return read(async (db) => {
    const { start, end } = await intervalOf(db, session.tenantId, days, 'then');
    return {
      from: days.from,
      opening: start ? await runningTotals(db, session, start) : [],
      lines: postedLines(read, session, { start, end: end && end < now ? end : now }),
      names: await connectionNames(db, session),
      codeOf: (account: Account) => codes[account] ?? account,
    };
  });
}
