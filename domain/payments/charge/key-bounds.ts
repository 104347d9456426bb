import type { Fields } from '../../shared/problems.ts';

/**
 * SQL: what a credential bounds, and the fields of the charge `asked` for that are outside of it.
 */
export const keyBounds = `
    allowed_origins, min_amount_kobo, max_amount_kobo, description as key_description,
    array_remove(array[
      case when asked.amount_kobo < min_amount_kobo or asked.amount_kobo > max_amount_kobo
        then 'amount_kobo' end,
      case when asked.return_origin <> all(allowed_origins) then 'return_url' end,
      case when asked.description <> description then 'description' end
    ], null) as out_of_bounds`;

/** SQL: the same for whoever is bounded by nothing. */
export const noKeyBounds = `
    null::text[] as allowed_origins, null::bigint as min_amount_kobo,
    null::bigint as max_amount_kobo, null::text as key_description, '{}'::text[] as out_of_bounds`;

/** What those read. */
export interface KeyBoundsRow {
  allowed_origins: string[] | null;
  min_amount_kobo: number | null;
  max_amount_kobo: number | null;
  key_description: string | null;
  out_of_bounds: (keyof typeof rules)[];
}

/** The fields that the key does not allow with the rule that each breaks; null: none. */
export function fieldsOutOfBounds(row: KeyBoundsRow): Fields | null {
  if (row.out_of_bounds.length === 0) return null;
  return Object.fromEntries(row.out_of_bounds.map((field) => [field, rules[field](row)]));
}

const rules = {
  amount_kobo: ({ min_amount_kobo: min, max_amount_kobo: max }: KeyBoundsRow) =>
    `must be ${[min && `at least ${min}`, max && `at most ${max}`].filter(Boolean).join(' and ')} ` +
    'with this public key',
  return_url: ({ allowed_origins: origins }: KeyBoundsRow) =>
    `must be at a web origin that this public key allows: ${origins?.join(', ')}`,
  description: ({ key_description: description }: KeyBoundsRow) =>
    `must be absent or what this public key says: ${description}`,
};
