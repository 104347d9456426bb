import type { RowOf } from '../../shared/columns.ts';
import { chargeIdOfCustomer } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import { type Count, MOST_COUNTED } from '../../shared/total.ts';
import { wasPaid } from '../charge/transitions.ts';
import { type ListedDispute, withCharge } from '../dispute/list.ts';
import { type Charge, chargeStatuses, ERASED_EMAIL } from '../entities/charge.ts';
import type { PaymentLinkRow } from '../payment-link/row.ts';
import type { RefundRow } from '../refund/row.ts';

/** Whoever has the e-mail address, in any case. */
export type Customer = Pick<RowOf<typeof Charge>, 'email' | 'name' | 'phone'>;

/** Whose charge it is, unless their data is erased. Throws `not_found`. */
export async function findCustomer(
  sql: Sql,
  { tenantId, mode }: Reader,
  customerId: string,
): Promise<Customer> {
  const [customer] = await sql.query<Customer>(
    `select email, name, phone from charges
     where id = $1 and tenant_id = $2 and mode = $3 and email <> $4`,
    [chargeIdOfCustomer(customerId), tenantId, mode, ERASED_EMAIL],
  );
  if (!customer) throw new Problem('not_found', 'There is no such customer in this mode.');
  return customer;
}

/** Their charges: of more than can be counted some. */
const OWN = `own as materialized (
  select id, status, amount_kobo, refunded_kobo, occurred_at, payment_link_id from charges
  where tenant_id = :tenantId and mode = :mode and lower(email) = lower(:email) limit :most
)`;

const summary = statement<CustomerSummary & { charges: number }>(`
with ${OWN}
select (select count(*) from own) as charges, count(*) as "paymentCount",
  coalesce(sum(amount_kobo), 0)::bigint as "paidKobo",
  coalesce(sum(refunded_kobo), 0)::bigint as "refundedKobo",
  min(occurred_at) as "firstPaidAt", max(occurred_at) as "lastPaidAt"
from own where status = any(:paidStatuses)`);

const refunds = statement<RefundRow>(`
with ${OWN}
select r.*, c.number, c.currency from (
  select * from refunds where charge_id = any(array(select id from own))
  order by id desc limit :limit) r
join charges c on c.id = r.charge_id order by r.id desc`);

const disputes = statement<ListedDispute>(`
with ${OWN} ${withCharge(`
  select * from disputes where charge_id = any(array(select id from own))
  order by id desc limit :limit`)}`);

const links = statement<PaymentLinkRow>(`
with ${OWN}
select * from payment_links where tenant_id = :tenantId and mode = :mode and id = any(array(
  (select id from payment_links where tenant_id = :tenantId and mode = :mode
      and lower(customer_email) = lower(:email) order by id desc limit :limit)
  union select payment_link_id from own where payment_link_id is not null))
order by id desc limit :limit`);

interface CustomerSummary extends Count {
  paymentCount: number;
  paidKobo: number;
  refundedKobo: number;
  /** Null: nothing was paid. */
  firstPaidAt: Date | null;
  lastPaidAt: Date | null;
}

const PAID = chargeStatuses.filter(wasPaid);

/** What they did, newest first; of a customer with more charges than can be counted, a part. */
export async function historyOf(
  sql: Sql,
  { tenantId, mode }: Reader,
  email: string,
  limit: number,
) {
  const own = { tenantId, mode, email, most: MOST_COUNTED + 1, limit };
  const [sums] = await summary(sql, { ...own, paidStatuses: PAID });
  return {
    ...sums!,
    isWhole: sums!.charges <= MOST_COUNTED,
    refunds: await refunds(sql, own),
    disputes: await disputes(sql, own),
    links: await links(sql, own),
  };
}
