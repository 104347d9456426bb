import type { Static } from 'typebox';
import { intervalOf } from '../../domain/accounts/tenant/days.ts';
import type { ChargeFilter } from '../../domain/payments/charge/filter.ts';
import { listCharges } from '../../domain/payments/charge/list.ts';
import { transactionView } from '../../domain/payments/charge/row.ts';
import { normalisePhone } from '../../domain/shared/phone.ts';
import type { Reader } from '../../domain/shared/reader.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import { listRoute } from '../http/cursor.ts';
import { daysOf } from '../http/days.ts';
import { transactions, transactionsQuery } from './schemas.ts';

export const listTransactions = listRoute({
  path: '/transactions',
  operationId: 'listTransactions',
  summary:
    'List transactions, newest first; ' +
    "from and to are days of the business's time zone, on which it was paid or, until then, created",
  credential: 'read',
  query: transactionsQuery,
  answer: transactions,
  async list({ context, query }, caller, { before, limit }) {
    const rows = await context.read(async (db) => {
      const filter = await chargeFilterOf(db, caller, query);
      return listCharges(db, caller, filter, { before, most: limit });
    });
    return rows.map(transactionView);
  },
});

/** Throws `validation_failed` when `from` is after `to`. */
export async function chargeFilterOf(
  db: Sql,
  { tenantId }: Reader,
  query: Static<typeof transactionsQuery>,
): Promise<ChargeFilter> {
  const { customer } = query;
  return {
    status: query.status,
    slot: query.provider,
    channel: query.channel,
    occurred: await intervalOf(db, tenantId, daysOf(query)),
    ...(customer?.includes('@')
      ? { email: customer }
      : { phone: customer && normalisePhone(customer) }),
    amountKobo: query.amount_kobo,
    merchantReference: query.merchant_reference,
    providerReference: query.provider_reference,
    settlementId: query.settlement_id,
    paymentLinkId: query.payment_link,
  };
}
