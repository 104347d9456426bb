import { ofQueue, p, table } from '../../shared/columns.ts';

/** The first two are notices: a member has one waiting at most, however much it tells of. */
export const mailKinds = [
  'refunds_waiting',
  'discrepancies_opened',
  'invitation',
  'forgotten_password',
  'password_link',
  'password_changed',
  'endpoint_disabled',
  'receipt',
  'checkout',
  'payment_link',
  'payment_link_reminder',
] as const;

/**
 * `sending`: a notice that was read, so that news from now on are in the next one. `refused`: by
 * the mail server, for good. `exhausted`: too late. `cancelled`: nobody needs it any more.
 */
export const mailStatuses = [
  'pending',
  'sending',
  'sent',
  'refused',
  'exhausted',
  'cancelled',
] as const;

/**
 * A row says who is told of what. It holds neither an address nor a text: both are read when it is
 * sent, so that erasing a payer leaves none here.
 */
export const Mail = table('mails', {
  id: p.ascii().primary(),
  tenant_id: p.ascii(),
  /** Null: it is about a member, who belongs to both. */
  mode: p.enum(['live', 'test']).strictNullable(),
  kind: p.enum(mailKinds),
  /** Null: it goes to the payer of its subject, or has the members with an address mailed. */
  member_id: p.ascii().strictNullable(),
  subject_id: p.ascii(),
  /** Of the link in it, or the address that was typed; sealed, and null once the mail has ended. */
  token: p.text().strictNullable(),
  status: p.enum(mailStatuses),
  ...ofQueue,
  /** It is of no use later. */
  expires_at: p.timestamp(),
  finished_at: p.timestamp().strictNullable(),
  created_at: p.timestamp(),
});
