-- Mails to members and payers. A row holds no address: it is read when the mail is sent.

-- Without a foreign key to tenants: each receipt would lock its business.
create table mails (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  mode text check (mode in ('live', 'test')),
  kind text not null
    check (kind in ('refunds_waiting', 'discrepancies_opened', 'invitation', 'forgotten_password',
      'password_link', 'password_changed', 'endpoint_disabled', 'receipt', 'checkout',
      'payment_link', 'payment_link_reminder')),
  member_id text collate "C" references members,
  subject_id text collate "C" not null,
  token text,
  status text not null
    check (status in ('pending', 'sending', 'sent', 'refused', 'exhausted', 'cancelled')),
  tries integer not null default 0,
  snoozes integer not null default 0,
  failures integer not null default 0,
  last_error text,
  due_at timestamptz,
  expires_at timestamptz not null,
  finished_at timestamptz,
  created_at timestamptz not null,
  -- Test mode mails nobody but members.
  check (member_id is not null or mode is not distinct from 'live' or kind = 'forgotten_password')
);
create index mails_due on mails (tenant_id, due_at)
  where due_at is not null and status in ('pending', 'sending');
create index mails_failing on mails (failures) where failures > 8 and due_at is not null;
create unique index mails_notice on mails (tenant_id, mode, kind, member_id)
  where status = 'pending' and kind in ('refunds_waiting', 'discrepancies_opened');
create index mails_invitation on mails (member_id, id) where kind = 'invitation';
create index mails_waiting on mails (created_at) where tries > 0 and due_at is not null;
-- For figures, and for deleting the oldest.
create index mails_finished on mails (finished_at) where finished_at is not null;
