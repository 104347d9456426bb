import { logoSha256Of } from '../../accounts/tenant/logo.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import { MOST_COUNTED, type Total, totalOfRows } from '../../shared/total.ts';
import { isOpenRow } from '../charge/ending.ts';
import type { PaymentLinkRow } from './row.ts';
import type { LinkStatus } from './transitions.ts';

/** A tenant's own in its mode. */
export async function findLink(
  sql: Sql,
  { tenantId, mode }: Reader,
  id: string,
): Promise<PaymentLinkRow | undefined> {
  const [row] = await sql.query<PaymentLinkRow>(
    'select * from payment_links where id = $1 and tenant_id = $2 and mode = $3',
    [id, tenantId, mode],
  );
  return row;
}

/** Throws 404. */
export async function requireLink(sql: Sql, reader: Reader, id: string): Promise<PaymentLinkRow> {
  const link = await findLink(sql, reader, id);
  if (!link) throw noSuchLink();
  return link;
}

export function noSuchLink(): Problem {
  return new Problem(
    'not_found',
    'There is no such payment link in this mode. A live link read with a test key is not found.',
  );
}

export interface LinkQuery {
  /** As shown: an active link past its time is expired. */
  status: LinkStatus | undefined;
  before: string;
  limit: number;
  now: Date;
}

/** Newest first, with ids that sort before `before`. */
export function listLinks(sql: Sql, reader: Reader, query: LinkQuery): Promise<PaymentLinkRow[]> {
  const { text, values } = selecting(reader, query);
  return sql.query<PaymentLinkRow>(text, values);
}

/** How many links there are, and what is asked by them. */
export function totalOfLinks(
  sql: Sql,
  reader: Reader,
  query: Pick<LinkQuery, 'status' | 'now'>,
): Promise<Total> {
  const { text, values } = selecting(reader, { ...query, before: '~', limit: MOST_COUNTED + 1 });
  return totalOfRows(sql, `select * from (${text}) links`, values);
}

function selecting({ tenantId, mode }: Reader, { status, before, limit, now }: LinkQuery) {
  const values = [tenantId, mode, before, limit];
  switch (status) {
    case undefined:
      return { text: ALL, values };
    case 'active':
      return { text: ACTIVE, values: [...values, now] };
    case 'expired':
      return { text: EXPIRED, values: [...values, now] };
    default:
      return { text: OF_STATUS, values: [...values, status] };
  }
}

const PART = 'from payment_links where tenant_id = $1 and mode = $2 and id < $3';
const NEWEST = 'order by id desc limit $4';

const ALL = `select * ${PART} ${NEWEST}`;
const OF_STATUS = `select * ${PART} and status = $5 ${NEWEST}`;
const ACTIVE = `select * ${PART} and status = 'active' and expires_at > $5 ${NEWEST}`;

// Few are overdue, and all are read: a walk from the newest would pass every active link.
const EXPIRED = `
  with overdue as materialized (
    select * from payment_links
    where tenant_id = $1 and mode = $2 and status = 'active' and expires_at <= $5
  )
  select * from (
    (select * ${PART} and status = 'expired' ${NEWEST})
    union all
    select * from overdue where id < $3
  ) links ${NEWEST}`;

export interface VisitedLink extends PaymentLinkRow {
  merchant: string;
  support_email: string | null;
  support_phone: string | null;
  logo_sha256: string | null;
  /** Every visitor is led to it until it fails. */
  open_charge_id: string | null;
  /** A connection could take a new charge now. */
  is_connected: boolean;
}

/** For the page whose address is itself the permission. */
export async function findVisitedLink(sql: Sql, id: string): Promise<VisitedLink | undefined> {
  const [row] = await sql.query<VisitedLink>(
    `select l.*, t.name as merchant, t.support_email, t.support_phone,
       ${logoSha256Of('l.tenant_id')} as logo_sha256,
       (select c.id from charges c
        where c.payment_link_id = l.id and ${isOpenRow('c')}) as open_charge_id,
       exists (select from connections n
         where n.tenant_id = l.tenant_id and n.mode = l.mode and n.disabled_at is null
         and (l.provider_wanted = 'auto' or n.slot = l.provider_wanted)) as is_connected
     from payment_links l join tenants t on t.id = l.tenant_id where l.id = $1`,
    [id],
  );
  return row;
}
