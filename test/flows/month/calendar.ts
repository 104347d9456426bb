import { inLagos } from '../../../domain/shared/lagos.ts';
import type { Stack } from '../../support/stack.ts';

export type Calendar = ReturnType<typeof openCalendar>;

/** Days count from the first one, a Monday, in Lagos. */
export function openCalendar({ clock, pass }: Stack) {
  const first = inLagos(clock()).startOf('week').plus({ weeks: 1 });
  return {
    date: (day: number) => first.plus({ days: day }).toISODate()!,
    isBusinessDay: (day: number) => !first.plus({ days: day }).isWeekend,
    /** Advances the clock to this hour of this day; everything due is done. */
    goTo: (day: number, hour: number) =>
      pass(first.plus({ days: day, hours: hour }).toMillis() - clock().getTime()),
  };
}
