import { type Sql, statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { wordsOf } from '../../shared/words.ts';
import { insertCustomers } from '../charge/insert-customers.ts';

/** Of both modes. The next charge of this e-mail address makes a new customer. */
export async function deleteCustomer(sql: Sql, tenantId: string, email: string): Promise<void> {
  await sql.query(
    `delete from customer_words
     where tenant_id = $1 and mode = any(array['live', 'test']) and email = lower($2)`,
    [tenantId, email],
  );
}

/** Of the charges that have this e-mail address now. */
export async function remakeCustomer(
  { sql }: Pick<Tx, 'sql'>,
  tenantId: string,
  email: string,
): Promise<void> {
  await deleteCustomer(sql, tenantId, email);
  const charges = await sql.query<{ name: string | null }>(
    `select id, tenant_id, mode, email, name from charges
     where tenant_id = $1 and mode = any(array['live', 'test']) and lower(email) = lower($2)`,
    [tenantId, email],
  );
  const named = charges.map((row) => ({ ...row, name_words: wordsOf(row.name ?? '').join(' ') }));
  await insert(sql, { charges: JSON.stringify(named) });
}

const insert = statement(
  insertCustomers(`
    select * from json_to_recordset(:charges)
      as row (id text, tenant_id text, mode text, email text, name_words text)`),
);
