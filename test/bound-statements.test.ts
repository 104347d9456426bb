import { expect } from 'chai';
import { tables } from './support/tenant-keys.ts';
import { unboundTables } from './support/unbound-tables.ts';

const ALL_CHARGES = 'charges';

describe('A statement about rows of tenants', () => {
  const accepted: Record<string, string> = {
    'gives the tenant and the mode':
      'select * from charges where tenant_id = $1 and mode = $2 and number = $3',
    'gives them as the ends of a stretch of an index':
      'select * from charges where (tenant_id, mode, id) >= ($1, $2, $3) and (tenant_id, mode, id) < ($1, $2, $4)',
    'is about both modes, and says so':
      "select * from api_keys where tenant_id = $1 and mode = any(array['live', 'test']) and last4 = $2",
    'is about rows of a mode, and of none':
      'select * from audit_entries where tenant_id = $1 and (mode = $2 or mode is null)',
    'finds a row by its id': 'select * from charges where id = $1 for update',
    'finds rows by what they belong to':
      'update attempts set due_at = $2 where charge_id = any($1)',
    'finds a row by the hash of a secret':
      'select * from credentials where sha256 = $1 and mode = $2',
    'joins a row that it has found':
      'select o.id from charges c join connections o on o.tenant_id = c.tenant_id and o.mode = c.mode where c.id = $1',
    'joins it by "using"':
      'select charges.* from credentials join charges using (tenant_id, mode) where sha256 = $1',
    'joins from the last table to the first':
      'select from connections o join attempts a on a.connection_id = o.id join charges c on c.id = a.charge_id where c.id = $1',
    'asks the rows of another query whether there is one':
      'select from charges c where c.id = $1 and exists (select from refunds r where r.charge_id = c.id)',
    'takes what a subquery found':
      'select * from charges where id = (select charge_id from captures where connection_id = $1 and provider_payment_id = $2)',
    'takes what "with" found, which was bound':
      'with found as (select id from charges where id = any($1)) update attempts a set due_at = $2 from found where a.charge_id = found.id',
    'finds rows by one key or by another':
      'select * from captures where charge_id = $1 or (connection_id = $2 and provider_payment_id = $3)',
    'updates what is in the way of a new row, by its key':
      'insert into captures (connection_id, provider_payment_id) select * from unnest($1::text[], $2::text[]) on conflict (connection_id, provider_payment_id) do update set status = excluded.status',
    'is about a table of no tenant': 'select shift from event_feed',
  };
  for (const [title, text] of Object.entries(accepted))
    it(`is accepted where it ${title}`, () => {
      expect(unboundTables(text, tables)).to.be.empty;
    });

  const refused: Record<string, [text: string, ...unbound: string[]]> = {
    'gives neither a tenant nor a mode': ['select * from charges where status = $1', ALL_CHARGES],
    'gives a tenant without a mode': [
      'select * from charges where tenant_id = $1',
      'charges without mode',
    ],
    'gives a mode without a tenant': [
      'select * from charges where mode = $1',
      'charges without tenant_id',
    ],
    'gives half of the two beside an id': [
      'select * from payment_links where id = $1 and tenant_id = $2',
      'payment_links without mode',
    ],
    'joins by one of the two': [
      'select o.id from charges c join connections o on o.tenant_id = c.tenant_id where c.id = $1',
      'connections o without mode',
    ],
    'joins by what is equal by chance': [
      'select from charges c join connections o on o.slot = c.slot where c.id = $1',
      'connections o',
    ],
    'joins two tables to each other alone': [
      'select from charges c join attempts a on a.charge_id = c.id',
      'charges c',
      'attempts a',
    ],
    'finds a payment by the name that a provider gave or was given': [
      'select from attempts a join captures k on k.provider_payment_id = $2 where a.reference = $1',
      'attempts a',
      'captures k',
    ],
    'finds a charge by the number that people say': [
      'select * from charges where number = $1',
      ALL_CHARGES,
    ],
    'binds in one of two branches': [
      'select * from charges where id = $1 or status = $2',
      ALL_CHARGES,
    ],
    'binds where a parameter is given': [
      'select * from charges where $1::text is null or tenant_id = $1',
      ALL_CHARGES,
    ],
    'says which rows it does not want': [
      'select * from charges where tenant_id = $1 and mode <> $2',
      'charges without mode',
    ],
    'bounds both ends of a stretch with different modes': [
      'select * from charges where (tenant_id, mode, id) >= ($1, $2, $3) and (tenant_id, mode, id) < ($1, $4, $3)',
      'charges without mode',
    ],
    'wants rows without a settlement': [
      'select * from captures where settlement_id is null',
      'captures',
    ],
    'restricts what a left join finds, not what it keeps': [
      'select from charges c left join connections o on o.id = c.connection_id and c.id = $1',
      'charges c',
      'connections o',
    ],
    'hides the table in a subquery': [
      'select (select count(*) from refunds) from charges where id = $1',
      'refunds',
    ],
    'hides the table in "with"': [
      'with found as (select * from charges where expires_at < $1) update attempts a set due_at = $2 from found where a.charge_id = found.id',
      ALL_CHARGES,
    ],
    'hides the table in one side of a union': [
      'select id from charges where id = $1 union all select id from refunds',
      'refunds',
    ],
    'deletes from a partition': ['delete from events_default where id < $1', 'events_default'],
    'updates what is in the way of a new row, whoever owns it': [
      'insert into reviews (reason) values ($1) on conflict (reason) do update set status = $2',
      'reviews',
    ],
  };
  for (const [title, [text, ...unbound]] of Object.entries(refused))
    it(`is refused where it ${title}`, () => {
      expect(unboundTables(text, tables)).to.have.members(unbound);
    });
});
