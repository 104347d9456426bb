import { listAuditEntries } from '../../../domain/accounts/audit-log/list-entries.ts';
import { listRequests } from '../../../domain/accounts/request-log/store.ts';
import { countSignIns, listSignIns } from '../../../domain/accounts/session/list-sessions.ts';
import { findInvitations } from '../../../domain/mail/find-invitations.ts';
import { listDisputes, unansweredDisputes } from '../../../domain/payments/dispute/list.ts';
import { needsOf } from '../../../domain/payments/figures/needs.ts';
import { setUpOf } from '../../../domain/payments/figures/set-up.ts';
import { figuresBetween } from '../../../domain/payments/figures/store.ts';
import { listReviews } from '../../../domain/payments/review/find.ts';
import { countOpen } from '../../../domain/settlements/discrepancy/count-open.ts';
import type { Database } from '../../../domain/shared/sql.ts';
import { deliveriesOfSubjects } from '../../../domain/webhooks/delivery/of-subject.ts';
import { usePlans } from '../../support/plans.ts';

/** The plans show in so many rows what they are in millions. */
const ROWS = 20_000;

const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;
const rows = `generate_series(1, ${ROWS}) n`;
const mode = `case when n % 50 = 0 then 'test' else 'live' end`;

const FILL = [
  `insert into tenants (id, name, created_at) values ('ten_own', 'Own', now())`,
  `insert into members (id, tenant_id, email, role, created_at)
   select ${id('mem')}, 'ten_own', n || '@shop.example', 'viewer', now()
   from generate_series(1, ${ROWS / 100}) n`,
  `insert into token_families (id, member_id, created_at, expires_at)
   select ${id('tf')}, 'mem_' || lpad((n % ${ROWS / 100} + 1)::text, 26, '0'), now(),
     now() + interval '1 day' from ${rows}`,
  `insert into audit_entries (id, tenant_id, mode, at, actor, action, subject_id)
   select ${id('aud')}, 'ten_own', case when n % 1000 = 0 then null when n <> 7 then 'live' else 'test' end,
     now(), 'mem_1', 'api_key.revoked', 'key_1' from ${rows}`,
  `insert into request_log
     (id, tenant_id, mode, at, method, path, status, duration_ms, credential_id)
   select ${id('req')}, 'ten_own', ${mode}, now(), 'GET', '/v1/charges',
     case when n % 9973 = 0 then 500 else 200 end, 3, 'key_1' from ${rows}`,
  `insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
   select ${id('evt')}, 'ten_own', ${mode}, 'charge.succeeded', ${id('txn')}, '{}', now()
   from ${rows}`,
  `insert into webhook_endpoints (id, tenant_id, mode, url, event_types, secret, created_at)
   values ('whe', 'ten_own', 'live', 'https://shop.example', '{charge.succeeded}', '', now())`,
  `insert into deliveries (id, event_id, endpoint_id, tenant_id, mode, status, tries, created_at)
   select ${id('dlv')}, ${id('evt')}, 'whe', 'ten_own', ${mode}, 'delivered', 1, now() from ${rows}`,
  `insert into delivery_tries (delivery_id, endpoint_id, try, at, duration_ms, status_code)
   select ${id('dlv')}, 'whe', 1, now(), 1, 200 from ${rows}`,
  `insert into charges (id, tenant_id, mode, number, status, amount_kobo, currency, email, metadata,
     provider_wanted, slot, connection_id, created_by, occurred_at, created_at, expires_at)
   select ${id('txn')}, 'ten_own', ${mode}, n, 'succeeded', 100, 'NGN', n || '@payer.example', '{}',
     'auto', 'provider_a', 'con', 'secret', now(), now(), now() from ${rows}`,
  `insert into disputes (id, tenant_id, mode, charge_id, capture_id, connection_id,
     amount_kobo, status, entered_by, opened_at)
   select ${id('dsp')}, 'ten_own', ${mode}, ${id('txn')}, ${id('cap')}, 'con', 100000,
     case when n % 9973 = 0 then 'open' else 'won' end, 'provider', now() from ${rows}`,
  `insert into reviews (id, tenant_id, mode, charge_id, reason, detail, status, created_at)
   select ${id('rev')}, 'ten_own', ${mode}, ${id('txn')}, 'extra_capture', 'Twice.',
     case when n % 9973 = 0 then 'open' else 'accepted' end, now() from ${rows}`,
  `insert into discrepancies (id, tenant_id, mode, connection_id, slot, status, kind, subject,
     amount_kobo, difference_kobo, day, detail, opened_at)
   select ${id('dsc')}, 'ten_own', ${mode}, 'con', 'provider_a',
     case when n % 9973 = 0 then 'open' else 'closed' end, 'fee_mismatch', n, 100, 100,
     date '2026-01-01' + n % 300, 'It differs.', now() from ${rows}`,
  `insert into daily_figures (tenant_id, mode, day, slot, succeeded)
   select 'ten_' || n % 1000, 'live', date '2020-01-01' + n / 1000, 'provider_a', 1 from ${rows}`,
  'analyze',
];

const page = { before: '~', limit: 26 };
const live = { tenantId: 'ten_own', mode: 'live' } as const;
const test = { tenantId: 'ten_own', mode: 'test' } as const;
const member = `mem_${'7'.padStart(26, '0')}`;
const charge = `txn_${String(ROWS / 2).padStart(26, '0')}`;

const lists: Record<string, (sql: Database) => Promise<unknown>> = {
  'the audit log': (sql) => listAuditEntries(sql, live, page),
  'the audit log of the mode with few entries': (sql) => listAuditEntries(sql, test, page),
  'the request log': (sql) => listRequests(sql, live, { isRefused: false, ...page }),
  'the request log of the mode with few requests': (sql) =>
    listRequests(sql, test, { isRefused: false, ...page }),
  'refused requests, of which there are few': (sql) =>
    listRequests(sql, live, { isRefused: true, ...page }),
  'what became of invitations': (sql) => findInvitations(sql, [member], new Date()),
  'how often members are signed in': (sql) => countSignIns(sql, [member], new Date()),
  'the sign-ins of a member': (sql) => listSignIns(sql, member, new Date()),
  'the deliveries of a charge’s events': (sql) => deliveriesOfSubjects(sql, live, [charge]),
  'the disputes': (sql) => listDisputes(sql, live, page),
  'the disputes of the mode with few': (sql) => listDisputes(sql, test, page),
  'the disputes that have to be answered': (sql) => {
    const [from, to] = [new Date('2026-01-01'), new Date('2027-01-01')];
    return unansweredDisputes(sql, live, { from, to, limit: 3 });
  },
  'what needs a person': (sql) => needsOf(sql, live),
  'how far a business has come': (sql) => setUpOf(sql, live, new Date()),
  'open discrepancies': (sql) => countOpen(sql, live, 100),
  'the figures of thirty days': (sql) => figuresBetween(sql, live, '2026-01-01', '2026-01-30'),
};

describe('The dashboard reads few database pages, however many rows there are, for', () => {
  const plans = usePlans(async (client) => {
    for (const statement of FILL) await client.query(statement);
  });

  for (const [name, read] of Object.entries(lists))
    it(name, () => plans.expectCheap(name, { pages: 300 }, read));

  it('the few open reviews', () =>
    plans.expectCheap(
      'open reviews',
      { pages: 300 },
      (sql) => listReviews(sql, live, { isOpen: true, reason: undefined, ...page }),
      ['auto'],
    ));
});
