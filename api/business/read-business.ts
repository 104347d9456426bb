import { findBusiness } from '../../domain/accounts/tenant/business.ts';
import { findLogoSha256, logoUrlOf } from '../../domain/accounts/tenant/logo.ts';
import type { Entities } from '../../domain/shared/sql.ts';
import { businessView } from './schemas.ts';

/** The business object of the API, as it is now. */
export async function readBusiness(
  entities: Entities,
  tenantId: string,
  { publicUrl }: { publicUrl: string },
) {
  const row = await findBusiness(entities, tenantId);
  return businessView(row, logoUrlOf(await findLogoSha256(entities, tenantId), publicUrl));
}
