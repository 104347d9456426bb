import { claimKeysOf } from '../../accounts/idempotency/remembered.ts';
import type { Role } from '../../accounts/roles.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import { insertCustomers } from './insert-customers.ts';
import { type KeyBoundsRow, keyBounds, keyBoundsColumns, noKeyBounds } from './key-bounds.ts';
import { givenColumns, type NewCharge } from './row.ts';

const ASKED = {
  ...givenColumns,
  asker: 'text',
  origin: 'text',
  scope: 'text',
  key: 'text',
  body_sha256: 'text',
  return_origin: 'text',
  answer: 'text',
  attempt_id: 'text',
  attempt_suffix: 'text',
  name_words: 'text',
  now: 'timestamptz',
};

type AskedColumn = keyof typeof ASKED;
const askedColumns = Object.keys(ASKED) as AskedColumn[];
const given = Object.keys(givenColumns) as (keyof NewCharge)[];

export type AskedRow = Omit<NewCharge, 'metadata'> &
  Record<Exclude<AskedColumn, keyof NewCharge | 'now'>, string | null> & {
    metadata: string;
    attempt_id: string;
    now: Date;
  };

export interface InsertedRow extends KeyBoundsRow {
  id: string;
  tenant_id: string;
  is_connected: boolean;
  connection_id: string | null;
  answer: string | null;
}

/** The limit has PostgreSQL look each hash up, where a join would read all credentials. */
export const insertByCredential = insertOf(`
  select tenant_id, role, null as link_id,${keyBounds} from credentials
  where sha256 = asked.asker and mode = asked.mode
    and (expires_at is null or expires_at > asked.now) and role = any(:roles)
    and (allowed_origins is null or asked.origin = any(allowed_origins))
  limit 1`);

/** While the link is being paid this waits, and then finds it paid. */
export const insertByLink = insertOf(
  `
  select tenant_id, 'link' as role, id as link_id,${noKeyBounds} from payment_links
  where id = asked.asker and mode = asked.mode and status = 'active'
    and expires_at > asked.now for share`,
  `on conflict (payment_link_id)
  where payment_link_id is not null and is_open do nothing`,
);

function insertOf(asker: string, onConflict = '') {
  const insert = statement<InsertedRow>(insertBy(asker, onConflict));
  return (sql: Sql, rows: readonly AskedRow[], roles: readonly Role[]): Promise<InsertedRow[]> => {
    const columns = askedColumns.map((name) => [name, rows.map((row) => row[name])]);
    return insert(sql, { ...Object.fromEntries(columns), roles });
  };
}

// One order of keys: no two statements deadlock. `not exists` may be hashed: it reads the table.
// Each step has all columns of those before it, since joining n of one to n of another looks at n².
function insertBy(asker: string, onConflict: string): string {
  return `
with asked as materialized (
  select * from unnest(${askedColumns.map((name) => `:${name}::${ASKED[name]}[]`).join(', ')})
    as asked (${askedColumns.join(', ')})
), asker as materialized (
  select asked.*, found.* from asked cross join lateral (${asker}) found
), connection as (
  select asker.*, chosen.* from asker cross join lateral (
    select connections.id as connection_id, connections.slot from connections
    where connections.tenant_id = asker.tenant_id and connections.mode = asker.mode
      and disabled_at is null
      and (provider_wanted = 'auto' or connections.slot = provider_wanted)
      and (test_scenario is null or connections.sandbox)
    order by position, connections.id limit 1) chosen
  where out_of_bounds = '{}'
), numbered as (
  select connection.*, nextval('sv_numbers') as number from connection
  where key is null or (
    select 1 from idempotency_keys used
    where used.tenant_id = connection.tenant_id and used.mode = connection.mode
      and used.scope = connection.scope and used.key = connection.key
  ) is null
), answered as (
  select numbered.*,
    replace(replace(answer, E'\\x01', 'SV-' || number), E'\\x02', slot) as body
  from numbered
), claimed as (${claimKeysOf(
    `select tenant_id, mode, scope, key, body_sha256, 201, body, now from answered
    where key is not null order by tenant_id, mode, scope, key`,
  )}
), charge as (
  insert into charges (${given.join(', ')},
    tenant_id, number, status, slot, connection_id, created_by, payment_link_id,
    occurred_at, created_at)
  select ${given.map(givenValueOf).join(', ')},
    answered.tenant_id, number, 'initiated', slot, connection_id,
    case when role in ('secret', 'public', 'link') then role else 'member' end, link_id, now, now
  from answered left join claimed using (tenant_id, scope, key)
  where answered.key is null or claimed.key is not null
  ${onConflict}
  returning id
), written as (
  select answered.* from charge join answered using (id)
), attempt as (
  insert into attempts (
    id, charge_id, connection_id, slot, reference, status, due_at, created_at)
  select attempt_id, id, connection_id, slot, 'SV-' || number || '-' || attempt_suffix, 'queued',
    now, now
  from written
), customer as (${insertCustomers('select id, tenant_id, mode, email, name_words from written')}
)
select asker.id, asker.tenant_id, ${keyBoundsColumns.map((name) => `asker.${name}`).join(', ')},
  connection.connection_id is not null as is_connected, connection.connection_id, written.body as answer
from asker left join connection using (id) left join written using (id)`;
}

function givenValueOf(column: keyof NewCharge): string {
  return column === 'description' ? 'coalesce(description, key_description)' : column;
}
