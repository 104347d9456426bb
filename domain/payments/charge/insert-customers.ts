/** SQL: of new charges (id, tenant_id, mode, email, name_words), the words not on record. */
export const insertCustomers = (charges: string) => `
  insert into customer_words (tenant_id, mode, email, word, customer_id)
  select tenant_id, mode, address, word, coalesce((
      select customer_id from customer_words known
      where known.tenant_id = made.tenant_id and known.mode = made.mode
        and known.email = address and known.word = ''
    ), 'cus_' || substr(min(id) over (partition by tenant_id, mode, address), 5))
  from (${charges}) made, lower(email) as address,
    unnest(array_append(string_to_array(name_words, ' '), '')) as word
  order by tenant_id, mode, address, word, id
  on conflict do nothing`;
