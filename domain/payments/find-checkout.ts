import { logoSha256Of } from '../accounts/tenant/logo.ts';
import type { Sql } from '../shared/sql.ts';
import { payableAttempt } from './attempt/payable.ts';
import type { ChargeRow } from './charge/row.ts';

export interface Checkout {
  merchant: string;
  timeZone: string;
  supportEmail: string | null;
  supportPhone: string | null;
  logoSha256: string | null;
  /** The newest payable link, if any. */
  url: string | null;
  /** None is payable or being made. */
  isWithoutLink: boolean;
  /** When its newest attempt was begun. */
  begunAt: Date;
  /** Another charge that paid its link. */
  linkPaidBy: string | null;
}

export async function findCheckout(
  sql: Sql,
  charge: Pick<ChargeRow, 'id' | 'tenant_id' | 'payment_link_id'>,
  now: Date,
): Promise<Checkout> {
  const { tenant_id: tenantId, id, payment_link_id: linkId } = charge;
  const [checkout] = await sql.query<Checkout>(FIND, [tenantId, id, linkId, now]);
  return checkout!;
}

const FIND = `
  select t.name as merchant, time_zone as "timeZone", support_email as "supportEmail", support_phone as "supportPhone",
    ${logoSha256Of('$1')} as "logoSha256",
    (select url from attempts a
     where charge_id = $2 and status = 'open' and ${payableAttempt('$4')}
     order by id desc limit 1) as url,
    not exists (
      select from attempts a where charge_id = $2 and ${payableAttempt('$4')}
    ) as "isWithoutLink",
    (select created_at from attempts where charge_id = $2 order by id desc limit 1) as "begunAt",
    (select transaction_id from payment_links
     where id = $3 and transaction_id <> $2) as "linkPaidBy"
  from tenants t where t.id = $1`;
