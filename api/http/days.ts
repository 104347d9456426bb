import Type from 'typebox';
import type { Days } from '../../domain/accounts/tenant/days.ts';
import { invalid } from '../../domain/shared/problems.ts';
import { day } from './schema.ts';

/** ISO dates, both of which count in. */
export const daysFields = {
  from: Type.Optional(day('First day, in the time zone of the business.', '2026-01-01')),
  to: Type.Optional(day('Last day, inclusive.')),
};

/** Throws `validation_failed` when `from` is after `to`. */
export function daysOf({ from, to }: { from?: string; to?: string }): Days {
  if (from !== undefined && to !== undefined && from > to)
    throw invalid({ from: 'must not be after the last day' });
  return { from, to };
}
