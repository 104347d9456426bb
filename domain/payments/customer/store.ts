import type { Sql } from '../../shared/sql.ts';

/** Of both modes. The next charge of this e-mail address makes a new customer. */
export async function deleteCustomer(sql: Sql, tenantId: string, email: string): Promise<void> {
  await sql.query(
    `delete from customer_words
     where tenant_id = $1 and mode = any(array['live', 'test']) and email = lower($2)`,
    [tenantId, email],
  );
}
