import { expect } from 'chai';
import { accountsRetention } from '../../domain/accounts/retention.ts';
import { mailRetention } from '../../domain/mail/retention.ts';
import { partitionedTables } from '../../domain/partitioned-tables.ts';
import { paymentsRetention } from '../../domain/payments/retention.ts';
import { newId } from '../../domain/shared/ids.ts';
import { createPartitions, dropOldPartitions } from '../../domain/shared/partitions.ts';
import { deleteOldRows, retentionOfDefault } from '../../domain/shared/retention.ts';
import { webhooksRetention } from '../../domain/webhooks/retention.ts';
import { DAY } from '../support/clock.ts';
import { useLedger } from './ledger.ts';

const START = new Date('2027-03-20T10:00:00Z');
const laterThan = (moment: Date, ms: number) => new Date(moment.getTime() + ms);

/** How many days each table keeps a row, and a statement that writes one of this time. */
const rows: Record<string, [days: number, insert: string]> = {
  idempotency_keys: [
    7,
    `insert into idempotency_keys (tenant_id, mode, scope, key, body_sha256, status, answer,
       created_at) values ('ten', 'test', 'scope', $1, '', 201, '{}', $2)`,
  ],
  user_tokens: [
    0,
    `insert into user_tokens (sha256, family_id, kind, mode, created_at, expires_at)
     select $1, id, 'refresh', 'test', $2, $2 from token_families`,
  ],
  token_families: [
    0,
    `insert into token_families (id, member_id, created_at, expires_at)
     select $1, id, $2, $2 from members`,
  ],
  member_links: [
    7,
    `insert into member_links (sha256, member_id, created_at, expires_at)
     select $1, id, $2, $2 from members`,
  ],
  mails: [
    30,
    `insert into mails (id, tenant_id, mode, kind, subject_id, status, expires_at, created_at,
       finished_at) values ($1, 'ten', 'live', 'receipt', 'txn', 'sent', $2, $2, $2)`,
  ],
  notifications: [
    30,
    `insert into notifications (id, connection_id, body_sha256, body, event, payment_references,
       status, created_at) values ($1, 'con', $1, '', '', '{}', 'processed', $2)`,
  ],
  dispute_responses: [
    400,
    // A replica session checks no foreign keys.
    `with session as (select set_config('session_replication_role', 'replica', true))
     insert into dispute_responses (id, tenant_id, mode, dispute_id, charge_id, connection_id, kind,
       status, requested_by, created_at)
     select $1, 'ten', 'test', $1, 'txn', 'con', 'evidence', 'sent', 'key', $2 from session`,
  ],
  listed_refunds: [
    180,
    `insert into listed_refunds (connection_id, provider_payment_id, provider_refund_id, generation,
       listed_at) values ('con', 'pay', $1, 1, $2)`,
  ],
  webhook_endpoints: [
    90,
    `insert into webhook_endpoints (id, tenant_id, mode, url, event_types, secret, created_at,
       deleted_at) select $1, id, 'test', '', '{}', '', $2, $2 from tenants`,
  ],
  request_log: [
    7,
    `insert into request_log (id, tenant_id, mode, at, method, path, status, duration_ms,
       credential_id) values ($1, 'ten', 'test', $2, 'GET', '/', 200, 1, 'key')`,
  ],
  evidence: [
    400,
    `insert into evidence (charge_id, sha256, payload, created_at) values ($1, '', '', $2)`,
  ],
  delivery_tries: [
    30,
    `insert into delivery_tries (delivery_id, try, at, duration_ms) values ($1, 1, $2, 1)`,
  ],
  deliveries: [
    90,
    `insert into deliveries (id, endpoint_id, tenant_id, mode, status, created_at)
     values ($1, 'whe', 'ten', 'test', 'delivered', $2)`,
  ],
};

/** The days of a partition; null: its table keeps its rows for good. */
const periods: Record<string, number | null> = {
  request_log: 7,
  evidence: 30,
  timeline_entries: null,
  events: null,
  postings: null,
  delivery_tries: 7,
  deliveries: 30,
};

const retention = [
  ...accountsRetention,
  ...mailRetention,
  ...paymentsRetention,
  ...webhooksRetention,
  ...partitionedTables.flatMap((table) => retentionOfDefault(table) ?? []),
];

describe('A row past its retention', () => {
  const ledger = useLedger();
  before(async () => {
    for (const { relname } of await ledger.rows(
      `select relname from pg_class where relispartition and relkind = 'r'
       and relname !~ '_default$'`,
    ))
      await ledger.rows(`drop table ${relname}`);
    await ledger.rows(
      `insert into token_families (id, member_id, created_at, expires_at)
       select 'fam', id, '2099-01-01', '2099-01-01' from members`,
    );
  });

  it('is looked for in every table with a rule, and in every partitioned table', () => {
    const names = retention.map(({ name, table }) => name ?? table);
    expect(names.sort()).to.deep.equal(Object.keys(rows).sort());
    expect(partitionedTables.map(({ table }) => table).sort()).to.deep.equal(
      Object.keys(periods).sort(),
    );
  });

  for (const rule of retention) {
    const name = rule.name ?? rule.table;
    it(`is deleted from ${rule.table} one tick after its last, and not before`, async () => {
      const [days, insert] = rows[name]!;
      await ledger.rows(insert, newId(rule.prefix ?? 'req', START), START);
      const [end, sql] = [laterThan(START, days * DAY), ledger.db];
      const deleted = (now: Date) => deleteOldRows({ sql, now }, rule, 1_000);
      expect((await deleted(end)).count, 'at its end').to.equal(0);
      expect((await deleted(laterThan(end, 1))).count, 'one tick later').to.equal(1);
    });
  }

  it('stays while it is needed: a pending delivery, an endpoint with deliveries', async () => {
    await ledger.rows(
      `insert into deliveries (id, endpoint_id, tenant_id, mode, status, created_at)
       select $1, id, tenant_id, mode, 'pending', $2 from webhook_endpoints`,
      ...[newId('dlv', START), START],
    );
    await ledger.rows('update webhook_endpoints set deleted_at = $1', START);
    const now = laterThan(START, 100 * DAY);
    for (const rule of retention.filter(({ table }) => /^(deliveries|webhook_e)/.test(table)))
      expect((await deleteOldRows({ sql: ledger.db, now }, rule, 10)).count).to.equal(0);
  });

  for (const table of partitionedTables) {
    const period = periods[table.table]!;
    const title = period === null ? 'is kept for good in' : 'leaves with its partition of';
    it(`${title} ${table.table}, when the newest row of it is as old`, async () => {
      const { db } = ledger;
      await createPartitions({ db, now: START }, table, 0);
      const dropped = (now: Date) => dropOldPartitions({ db, now }, table);
      if (period === null) {
        expect(await dropped(laterThan(START, 9_000 * DAY))).to.equal(0);
        return;
      }
      const [days] = rows[table.table]!;
      const beganMs = Math.floor(START.getTime() / (period * DAY)) * period * DAY;
      const end = new Date(beganMs + (period + days) * DAY);
      expect(await dropped(laterThan(end, -1)), 'one tick before').to.equal(0);
      expect(await dropped(end), 'then').to.equal(1);
    });
  }
});
