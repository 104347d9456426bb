import { p, table } from '../../shared/columns.ts';

export const Tenant = table('tenants', {
  id: p.ascii().primary(),
  name: p.text(),
  time_zone: p.text(),
  requires_second_factor: p.boolean(),
  support_email: p.text().strictNullable(),
  support_phone: p.text().strictNullable(),
  /** Mails to payers, in live mode. */
  sends_receipts: p.boolean(),
  sends_payment_links: p.boolean(),
  /** Whoever asked for a refund does not approve it. */
  refunds_require_second_person: p.boolean(),
  /** Null: one Owner approves each. */
  refunds_require_two_owners_above_kobo: p.kobo().strictNullable(),
  created_at: p.timestamp(),
});

/** Days are counted in the zone of their time. */
export const FormerTimeZone = table('former_time_zones', {
  tenant_id: p.ascii().primary(),
  until: p.timestamp().primary(),
  time_zone: p.text(),
});

export const TenantLogo = table('tenant_logos', {
  tenant_id: p.ascii().primary(),
  sha256: p.ascii(),
  png: p.blob(),
  created_at: p.timestamp(),
});
