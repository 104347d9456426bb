import { DateTime } from 'luxon';
import { beganAt } from '../../../domain/settlements/statement/statement.ts';
import { getStatement, type SignedStatement } from '../../statements/get-statement.ts';
import { filledFields } from '../lists.ts';
import type { DashboardRequest } from '../request.ts';

/** That of the last month where the address names none. */
export async function readStatement(request: DashboardRequest) {
  const months = await monthsOf(request);
  const last = months[1] ?? months[0]!;
  const { month = last, ...query } = filledFields(request.query, ['month', 'provider']);
  const statement: SignedStatement = await request.call(getStatement, { params: { month }, query });
  return { statement, months, filter: { month, ...query } };
}

/** From this month back to that in which the first statement began. */
async function monthsOf({ context, session, now }: DashboardRequest): Promise<string[]> {
  const monthOf = (at: Date) =>
    DateTime.fromJSDate(at, { zone: session.timeZone }).startOf('month');
  const [first, last] = [monthOf(await beganAt(context.db, session)), monthOf(now)];
  const back = Math.round(last.diff(first, 'months').months);
  return Array.from({ length: back + 1 }, (_, months) =>
    last.minus({ months }).toFormat('yyyy-MM'),
  );
}
