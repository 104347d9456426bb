import { findConnection } from '../../../domain/accounts/connection/connection.ts';
import { reportOn } from '../../../domain/settlements/settlement/report.ts';
import { inLagos } from '../../../domain/shared/lagos.ts';
import type { Reconciled } from '../../../scripts/reconcile/run.ts';
import type { Stack } from '../../support/stack.ts';
import type { MonthAccount } from './account.ts';

/** Days count from the first one, a Monday, in Lagos. */
export interface Calendar {
  date(day: number): string;
  isBusinessDay(day: number): boolean;
  /** Advances the clock to this hour of this day; everything due is done. */
  goTo(day: number, hour: number): Promise<void>;
}

export function openCalendar({ clock, sandbox, settle }: Stack): Calendar {
  const first = inLagos(clock()).startOf('week').plus({ weeks: 1 });
  return {
    date: (day) => first.plus({ days: day }).toISODate()!,
    isBusinessDay: (day) => !first.plus({ days: day }).isWeekend,
    async goTo(day, hour) {
      const at = first.plus({ days: day, hours: hour }).toMillis();
      clock.advance(at - clock().getTime());
      await sandbox.tick();
      await settle();
    },
  };
}

export function reportsOn(
  { context, tenant }: Stack,
  accounts: readonly MonthAccount[],
  from: string,
  to: string,
): Promise<Reconciled[]> {
  return Promise.all(
    accounts.map(async ({ connectionId }) => {
      const connection = (await findConnection(context.db, connectionId))!;
      const report = await reportOn(context.db, connection, { from, to });
      return {
        connection: { ...connection, tenant: 'Test Store', tenant_id: tenant.tenant_id },
        report,
        failure: null,
      };
    }),
  );
}
