import type { Static } from 'typebox';
import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { findByTransactionIds } from '../../../domain/payments/charge/find.ts';
import type { ChargeRow } from '../../../domain/payments/charge/row.ts';
import { describeRequests, peopleOf } from '../../../domain/payments/refund/requests.ts';
import { linesOfCharges } from '../../../domain/settlements/settlement/lines-of-charges.ts';
import type { refund } from '../../refunds/schemas.ts';
import { getSettlement } from '../../settlements/get-settlement.ts';
import type { transaction } from '../../transactions/schemas.ts';
import type { DashboardRequest } from '../request.ts';
import type { DescribedRefund, SettledTransaction } from './columns.ts';

/** Adds, page by page, what people know its transaction by, and the name of who decided. */
export function describedBy<Row>(
  about: (row: Row) => { transactionId: string | null; decidedBy?: string | null },
) {
  return async (
    { context: { db }, session }: DashboardRequest,
    rows: readonly Row[],
  ): Promise<(Row & { charge?: ChargeRow; decider: string | null })[]> => {
    const of = rows.map(about);
    const ids = of.flatMap(({ transactionId }) => transactionId ?? []);
    const deciders = of.flatMap(({ decidedBy }) => decidedBy ?? []);
    const [charges, nameOf] = await Promise.all([
      findByTransactionIds(db, session, ids),
      actorNames(db, session.tenantId, deciders),
    ]);
    const byId = new Map(charges.map((charge) => [charge.id, charge]));
    return rows.map((row, n) => {
      const { transactionId, decidedBy } = of[n]!;
      const charge = byId.get(transactionId ?? '');
      return { ...row, ...(charge && { charge }), decider: decidedBy ? nameOf(decidedBy) : null };
    });
  };
}

export async function withRequests(
  { context: { db }, session }: DashboardRequest,
  refunds: readonly Static<typeof refund>[],
): Promise<DescribedRefund[]> {
  const requests = await describeRequests(db, session, refunds);
  const nameOf = await actorNames(db, session.tenantId, peopleOf(requests));
  return refunds.map((one) => {
    const about = requests.get(one.id)!;
    return { ...one, about, charge: about, nameOf };
  });
}

export async function withPayout(
  { call, context, session, params }: DashboardRequest,
  transactions: readonly Static<typeof transaction>[],
): Promise<SettledTransaction[]> {
  const payout = await call(getSettlement, { params, uncounted: true });
  const ids = transactions.map(({ id }) => id);
  const lines = await context.read((db) => linesOfCharges(db, session, payout.id, ids));
  return transactions.map((one) => ({ ...one, payout, line: lines.get(one.id) }));
}
