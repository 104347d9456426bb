import type { Manager } from '../../domain/accounts/member/members.ts';
import { findBusiness } from '../../domain/accounts/tenant/business.ts';
import { findLogoSha256, logoUrlOf } from '../../domain/accounts/tenant/logo.ts';
import { findAccountCodes } from '../../domain/journal/account-codes.ts';
import type { Entities } from '../../domain/shared/sql.ts';
import type { Tx } from '../../domain/shared/tx.ts';
import type { ApiRequest } from '../http/route.ts';
import { managerOf } from '../members/manager.ts';
import { businessView } from './schemas.ts';

export async function readBusiness(
  entities: Entities,
  tenantId: string,
  { publicUrl }: { publicUrl: string },
) {
  const row = await findBusiness(entities, tenantId);
  const logoUrl = logoUrlOf(await findLogoSha256(entities, tenantId), publicUrl);
  return businessView(row, logoUrl, await findAccountCodes(entities, tenantId));
}

/** Answers the business as it is after the change, in one transaction. */
export async function changeOfBusiness(
  { context, caller }: Pick<ApiRequest, 'context' | 'caller'>,
  change: (tx: Tx, by: Manager) => Promise<unknown>,
) {
  const by = managerOf(await caller());
  return context.inTx(async (tx) => {
    await change(tx, by);
    return { status: 200, body: await readBusiness(tx, by.tenantId, context.env) };
  });
}
