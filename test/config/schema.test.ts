import { expect } from 'chai';
import { openDatabase } from '../../config/database/db.ts';
import { type Orm, openOrm } from '../../config/database/orm.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import { newDatabase } from '../support/postgres.ts';

/** PostgreSQL does not say which columns of a view may be null. */
const views = ['credentials'];

describe('The entities', () => {
  let orm: Orm;
  let sql: Sql;
  before(async () => {
    const databaseUrl = await newDatabase();
    orm = await openOrm({ databaseUrl, poolSize: 2, statementTimeoutMs: null });
    sql = await openDatabase(orm);
  });
  after(() => orm.close(true));

  it('have the columns that migrations make, of the same types, where null is the same', async () => {
    const columns = columnsOf(orm);
    const types = await namesOf(
      sql,
      columns.map(({ type }) => type),
    );
    const described = columns.map(({ name, type, collation, isNullable }) =>
      [name, types.get(type), collation, isNullable ? 'null' : 'not null']
        .filter(Boolean)
        .join(' '),
    );
    expectSame(described, await linesOf(sql, COLUMNS, [views]));
  });

  it('have the values that checks allow', async () => {
    const allowed = columnsOf(orm).flatMap(({ name, values }) =>
      values ? `${name}: ${values.join(', ')}` : [],
    );
    expectSame(allowed, await linesOf(sql, CHECKED_VALUES));
  });
});

function expectSame(ofEntities: readonly string[], ofMigrations: readonly string[]): void {
  const different = new Set(ofEntities).symmetricDifference(new Set(ofMigrations));
  expect([...different]).to.deep.equal([]);
  expect(ofEntities).to.have.length(ofMigrations.length);
}

function columnsOf(orm: Orm) {
  return [...orm.getMetadata().getAll().values()].flatMap(({ tableName, props }) =>
    props.map((own) => {
      const { columnTypes, collation } = own.targetMeta?.getPrimaryProp() ?? own;
      return {
        name: `${tableName}.${own.name}`,
        type: columnTypes[0]!,
        collation,
        isNullable: own.nullable === true || views.includes(tableName),
        values: own.enum ? own.items : undefined,
      };
    }),
  );
}

async function namesOf(sql: Sql, types: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql.query<{ type: string; name: string }>(
    'select distinct type, type::regtype::text as name from unnest($1::text[]) type',
    [types],
  );
  return new Map(rows.map(({ type, name }) => [type, name]));
}

async function linesOf(sql: Sql, text: string, values: readonly unknown[] = []): Promise<string[]> {
  return (await sql.query<{ line: string }>(text, values)).map(({ line }) => line);
}

/** Generated columns serve indexes. The rate limiter reads and writes its table without entities. */
const TABLES = `
  select oid, relname from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
    and not relispartition and relname !~ '^mikro_orm_' and relname <> 'rate_limits'`;

const COLUMNS = `
  select concat_ws(' ', relname || '.' || attname, format_type(atttypid, atttypmod),
    nullif(collname, 'default'),
    case when attnotnull and relname <> all($1) then 'not null' else 'null' end) as line
  from (${TABLES}) tables
    join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped and attgenerated = ''
    left join pg_collation on pg_collation.oid = attcollation`;

const CHECKED_VALUES = `
  select concat(relname, '.', attname, ': ', (
    select string_agg(value[1], ', ') from regexp_matches(definition, '''(\\w+)''', 'g') value
  )) as line
  from (${TABLES}) tables
    join pg_constraint on conrelid = tables.oid and contype = 'c'
    join pg_attribute on attrelid = tables.oid and array[attnum] = conkey
    cross join pg_get_constraintdef(pg_constraint.oid) definition
  where definition ~ '= ANY'`;
