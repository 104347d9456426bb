import { LockMode } from '@mikro-orm/core';
import type { RowOf } from '../../shared/columns.ts';
import type { Entities } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { Tenant } from '../entities/tenant.ts';
import { type Manager, recordOnMember } from '../member/members.ts';
import { demandSecondFactor } from '../second-factor/demand-second-factor.ts';

export type TenantRow = RowOf<typeof Tenant>;

/** The caller's own business. */
export function findBusiness({ em }: Entities, tenantId: string): Promise<TenantRow> {
  return em.findOneOrFail(Tenant, { id: tenantId });
}

/** What may be changed of a business; what is absent stays. */
export interface BusinessChange {
  name?: string;
  time_zone?: string;
  requires_second_factor?: boolean;
  /** Null: payers see none. */
  support_email?: string | null;
  support_phone?: string | null;
}

/**
 * Changes a business. A demand for a second factor holds at once. Days of another time zone hold
 * for every list from now on; daily figures that were counted before stay as they are.
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
  Object.assign(row, change);
  if (changed.includes('requires_second_factor')) {
    await tx.em.flush();
    await demandSecondFactor(tx, by.tenantId);
  }
  for (const field of changed)
    await recordOnMember(
      tx,
      by,
      `business.${field}_changed`,
      by.tenantId,
      String(change[field] ?? 'none'),
    );
  return row;
}
