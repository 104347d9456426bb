import type { Reader } from '../charge/find.ts';
import { Problem } from '../problems.ts';
import type { Sql } from '../sql.ts';
import type { LinkStatus } from './machine.ts';
import type { PaymentLinkRow } from './row.ts';

/** The payment link with this id, or undefined when there is none of this tenant in this mode. */
export async function findLink(sql: Sql, { tenantId, mode }: Reader, id: string): Promise<PaymentLinkRow | undefined> {
  const [row] = await sql.query<PaymentLinkRow>('select * from payment_links where id = $1 and tenant_id = $2 and mode = $3', [
    id,
    tenantId,
    mode,
  ]);
  return row;
}

export function noSuchLink(): Problem {
  return new Problem('not_found', 'There is no such payment link in this mode. A live link read with a test key is not found.');
}

/** Which links of a list: newest first, at most `limit`, with ids that sort before `before`. */
export interface LinkQuery {
  /** The status as it is shown: an active link past its time is expired. */
  status: LinkStatus | undefined;
  before: string;
  limit: number;
  now: Date;
}

/** The tenant's links in this mode. */
export function listLinks(sql: Sql, { tenantId, mode }: Reader, { status, before, limit, now }: LinkQuery): Promise<PaymentLinkRow[]> {
  if (status === undefined) return sql.query<PaymentLinkRow>(LIST, [tenantId, mode, before, limit]);
  return sql.query<PaymentLinkRow>(LIST_OF_STATUS, [tenantId, mode, before, limit, status, now]);
}

const LIST = `
  select * from payment_links where tenant_id = $1 and mode = $2 and id < $3 order by id desc limit $4`;

// Expired are those written as such, and those whose expiry nobody has written yet: each branch walks its own status in the index.
const LIST_OF_STATUS = `
  select * from (
    (select * from payment_links where tenant_id = $1 and mode = $2 and id < $3 and status = $5 and ($5 <> 'active' or expires_at > $6)
     order by id desc limit $4)
    union all
    (select * from payment_links where tenant_id = $1 and mode = $2 and id < $3 and status = 'active' and $5 = 'expired' and expires_at <= $6
     order by id desc limit $4)
  ) links order by id desc limit $4`;

/** A link as its visitor meets it. */
export interface VisitedLink extends PaymentLinkRow {
  merchant: string;
  /** The charge that waits for its money: every visitor is led to it until it fails. */
  open_charge_id: string | null;
  /** False: nobody could take a new charge's money now. */
  is_connected: boolean;
}

/** A link by its id, for the page whose address is itself the permission. */
export async function findVisitedLink(sql: Sql, id: string): Promise<VisitedLink | undefined> {
  const [row] = await sql.query<VisitedLink>(
    `select l.*, t.name as merchant,
       (select c.id from charges c where c.payment_link_id = l.id and c.status in ('initiated', 'pending')) as open_charge_id,
       exists (select from connections n where n.tenant_id = l.tenant_id and n.mode = l.mode and n.disabled_at is null
         and (l.provider_wanted = 'auto' or n.slot = l.provider_wanted)) as is_connected
     from payment_links l join tenants t on t.id = l.tenant_id where l.id = $1`,
    [id],
  );
  return row;
}
