import { p, table } from '../../shared/columns.ts';

export const Tenant = table('tenants', {
  id: p.ascii().primary(),
  name: p.text(),
  time_zone: p.text(),
  requires_second_factor: p.boolean(),
  /** Where payers reach the merchant, who shows it to them. */
  support_email: p.text().strictNullable(),
  support_phone: p.text().strictNullable(),
  created_at: p.timestamp(),
});

/** A time zone that a tenant had before: days are counted in the zone of their time. */
export const FormerTimeZone = table('former_time_zones', {
  tenant_id: p.ascii().primary(),
  until: p.timestamp().primary(),
  time_zone: p.text(),
});

/** The picture that payers see, as it is sent to them: drawn anew from what was uploaded. */
export const TenantLogo = table('tenant_logos', {
  tenant_id: p.ascii().primary(),
  sha256: p.ascii(),
  png: p.blob(),
  created_at: p.timestamp(),
});
