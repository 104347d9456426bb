import { LockMode } from '@mikro-orm/core';
import type { RowOf } from '../../shared/columns.ts';
import { formatNaira } from '../../shared/money.ts';
import { invalid } from '../../shared/problems.ts';
import type { Entities, Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { FormerTimeZone, Tenant } from '../entities/tenant.ts';
import { type Manager, recordOnMember } from '../member/members.ts';
import { demandSecondFactor } from '../second-factor/demand-second-factor.ts';
import { requireTwoOwners } from './refund-rules.ts';

export type TenantRow = RowOf<typeof Tenant>;

export function findBusiness({ em }: Entities, tenantId: string): Promise<TenantRow> {
  return em.findOneOrFail(Tenant, { id: tenantId });
}

/** Those with an id after `after`, in the order of ids. For operators only. */
export function listTenants(
  sql: Sql,
  { only, after, limit }: { only: string | null; after: string; limit: number },
): Promise<Pick<TenantRow, 'id' | 'name'>[]> {
  return sql.query(
    `select id, name from tenants where id > $1 and ($2::text is null or id = $2)
     order by id limit $3`,
    [after, only, limit],
  );
}

export interface BusinessChange {
  name?: string;
  time_zone?: string;
  requires_second_factor?: boolean;
  /** Null: payers see none. */
  support_email?: string | null;
  support_phone?: string | null;
  /** To payers, in live mode, where the installation sends mail. */
  sends_receipts?: boolean;
  sends_payment_links?: boolean;
  refunds_require_second_person?: boolean;
  /** Null: one Owner approves each. */
  refunds_require_two_owners_above_kobo?: number | null;
}

/**
 * Changes a business. A demand for a second factor holds at once; a new time zone holds for lists
 * from now on, and earlier daily figures keep theirs. Throws 422 for an unknown time zone, and for
 * a rule that wants a second Owner where there is none.
 */
export async function changeBusiness(
  tx: Tx,
  by: Manager,
  change: BusinessChange,
): Promise<TenantRow> {
  const row = await tx.em.findOneOrFail(
    Tenant,
    { id: by.tenantId },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  const fields = Object.keys(change) as (keyof BusinessChange)[];
  const changed = fields.filter((field) => change[field] !== row[field]);
  for (const field of rulesOfTwo)
    if (changed.includes(field) && (change[field] ?? false) !== false)
      await requireTwoOwners(tx.sql, by.tenantId, field);
  if (changed.includes('time_zone')) await leaveTimeZone(tx, row, change.time_zone!);
  Object.assign(row, change);
  if (changed.includes('requires_second_factor')) {
    await tx.em.flush();
    await demandSecondFactor(tx, by.tenantId);
  }
  for (const field of changed) {
    const action = `business.${field.replace('_kobo', '')}_changed`;
    await recordOnMember(tx, by, action, by.tenantId, inWords(change[field]));
  }
  return row;
}

function inWords(value: BusinessChange[keyof BusinessChange]): string {
  return typeof value === 'number' ? formatNaira(value) : String(value ?? 'none');
}

/** What two Owners are needed for. */
const rulesOfTwo = [
  'refunds_require_second_person',
  'refunds_require_two_owners_above_kobo',
] as const satisfies readonly (keyof BusinessChange)[];

/** What is counted while the change is under way still uses the former zone. */
const CHANGING_MS = 60_000;

async function leaveTimeZone({ em, sql, now }: Tx, tenant: TenantRow, next: string): Promise<void> {
  const known = await sql.query(
    'select 1 from pg_timezone_names where lower(name) = lower($1) limit 1',
    [next],
  );
  if (known.length === 0)
    throw invalid({ time_zone: 'is not known here: use another of its names' });
  em.create(FormerTimeZone, {
    tenant_id: tenant.id,
    until: new Date(now.getTime() + CHANGING_MS),
    time_zone: tenant.time_zone,
  });
}
