import { claimKeysOf } from '../../accounts/idempotency/remembered.ts';
import type { Role } from '../../accounts/roles.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import { insertCustomers } from './insert-customers.ts';
import { type KeyBoundsRow, keyBounds, noKeyBounds } from './key-bounds.ts';
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
function insertBy(asker: string, onConflict: string): string {
  return `
with asked as materialized (
  select * from unnest(${askedColumns.map((name) => `:${name}::${ASKED[name]}[]`).join(', ')})
    as asked (${askedColumns.join(', ')})
), asker as materialized (
  select asked.id, found.* from asked cross join lateral (${asker}) found
), connection as (
  select asker.*, chosen.* from asker join asked using (id) cross join lateral (
    select connections.id as connection_id, connections.slot from connections
    where connections.tenant_id = asker.tenant_id and connections.mode = asked.mode
      and disabled_at is null
      and (asked.provider_wanted = 'auto' or connections.slot = asked.provider_wanted)
      and (asked.test_scenario is null or connections.sandbox)
    order by position, connections.id limit 1) chosen
  where out_of_bounds = '{}'
), numbered as (
  select connection.*, nextval('sv_numbers') as number from connection join asked using (id)
  where asked.key is null or (
    select 1 from idempotency_keys used
    where used.tenant_id = connection.tenant_id and used.mode = asked.mode
      and used.scope = asked.scope and used.key = asked.key
  ) is null
), answered as (
  select numbered.*,
    replace(replace(asked.answer, E'\\x01', 'SV-' || number), E'\\x02', slot) as body
  from numbered join asked using (id)
), claimed as (${claimKeysOf(
    `select tenant_id, asked.mode, asked.scope, asked.key, asked.body_sha256, 201, body,
    asked.now from answered join asked using (id) where asked.key is not null
    order by tenant_id, asked.mode, asked.scope, asked.key`,
  )}
), charge as (
  insert into charges (${given.join(', ')},
    tenant_id, number, status, slot, connection_id, created_by, payment_link_id,
    occurred_at, created_at)
  select ${given.map(givenValueOf).join(', ')},
    answered.tenant_id, number, 'initiated', slot, connection_id,
    case when role in ('secret', 'public', 'link') then role else 'member' end, link_id,
    asked.now, asked.now
  from answered join asked using (id)
    left join claimed on claimed.tenant_id = answered.tenant_id
      and claimed.scope = asked.scope and claimed.key = asked.key
  where asked.key is null or claimed.key is not null
  ${onConflict}
  returning id, number
), attempt as (
  insert into attempts (
    id, charge_id, connection_id, slot, reference, status, due_at, created_at)
  select asked.attempt_id, charge.id, connection_id, slot,
    'SV-' || charge.number || '-' || asked.attempt_suffix, 'queued', asked.now, asked.now
  from charge join answered using (id) join asked using (id)
), customer as (${insertCustomers(
    `select charge.id, tenant_id, asked.mode, asked.email, asked.name_words
    from charge join answered using (id) join asked using (id)`,
  )}
)
select asker.*, connection.connection_id is not null as is_connected, connection.connection_id,
  case when charge.id is null then null else body end as answer
from asker
  left join connection using (id) left join answered using (id) left join charge using (id)`;
}

function givenValueOf(column: keyof NewCharge): string {
  return column === 'description'
    ? 'coalesce(asked.description, key_description)'
    : `asked.${column}`;
}
