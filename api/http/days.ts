import type { Days } from '../../domain/accounts/tenant/days.ts';
import { invalid } from '../../domain/shared/problems.ts';
import type { JsonSchema } from './route.ts';

const day: JsonSchema = { type: 'string', format: 'date' };

/** What lists over days take: ISO dates, both of which count in. */
export const daysQuery: Record<'from' | 'to', JsonSchema> = { from: day, to: day };

export interface DaysQuery {
  from?: string;
  to?: string;
}

/** Reads `from` and `to`. Throws `validation_failed` when they run backwards. */
export function daysOf({ from, to }: DaysQuery): Days {
  if (from !== undefined && to !== undefined && from > to)
    throw invalid({ from: 'must not be after to' });
  return { from, to };
}
