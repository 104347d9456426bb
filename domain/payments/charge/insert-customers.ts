/**
 * SQL: of new charges (id, tenant_id, mode, email, name_words), the words not on record. Who has an
 * address is the first row from there on in the primary key's order: where a young table has no
 * statistics, a comparison with address and word may walk through `customer_words_newest`. The
 * offset has it looked up for each charge, not for each word.
 */
export const insertCustomers = (charges: string) => `
  insert into customer_words (tenant_id, mode, email, word, customer_id)
  select tenant_id, mode, address, word, coalesce(
      known_id, 'cus_' || substr(min(id) over (partition by tenant_id, mode, address), 5))
  from (
    select made.*, address, (
        select customer_id from (
          select email, customer_id from customer_words known
          where known.tenant_id = made.tenant_id and known.mode = made.mode
            and known.email >= address
          order by email, word limit 1
        ) first where email = address
      ) as known_id
    from (${charges}) made, lower(email) as address offset 0
  ) customer, unnest(array_append(string_to_array(name_words, ' '), '')) as word
  order by tenant_id, mode, address, word, id
  on conflict do nothing`;
