import type { Fields } from '../../shared/problems.ts';

/**
 * SQL: the credential's bounds and the fields of `asked` outside them. A public key leads payers to
 * its own origins only: anybody can read it and send out checkouts in the merchant's name.
 */
export const keyBounds = `
    allowed_origins, min_amount_kobo, max_amount_kobo, description as key_description,
    array_remove(array[
      case when asked.amount_kobo < min_amount_kobo or asked.amount_kobo > max_amount_kobo
        then 'amount_kobo' end,
      case when role = 'public' and asked.return_origin is not null
        and asked.return_origin <> all(coalesce(allowed_origins, '{}')) then 'return_url' end,
      case when asked.description <> description then 'description' end
    ], null) as out_of_bounds`;

export const noKeyBounds = `
    null::text[] as allowed_origins, null::bigint as min_amount_kobo,
    null::bigint as max_amount_kobo, null::text as key_description, '{}'::text[] as out_of_bounds`;

export interface KeyBoundsRow {
  allowed_origins: string[] | null;
  min_amount_kobo: number | null;
  max_amount_kobo: number | null;
  key_description: string | null;
  out_of_bounds: (keyof typeof rules)[];
}

export const keyBoundsColumns = [
  'allowed_origins',
  'min_amount_kobo',
  'max_amount_kobo',
  'key_description',
  'out_of_bounds',
] as const satisfies readonly (keyof KeyBoundsRow)[];

/** Null: none. */
export function fieldsOutOfBounds(row: KeyBoundsRow): Fields | null {
  if (row.out_of_bounds.length === 0) return null;
  return Object.fromEntries(row.out_of_bounds.map((field) => [field, rules[field](row)]));
}

const rules = {
  amount_kobo: ({ min_amount_kobo: min, max_amount_kobo: max }: KeyBoundsRow) =>
    `must be ${[min && `at least ${min}`, max && `at most ${max}`].filter(Boolean).join(' and ')} ` +
    'with this public key',
  return_url: ({ allowed_origins: origins }: KeyBoundsRow) =>
    origins
      ? `must be at a web origin that this public key allows: ${origins.join(', ')}`
      : 'must be absent with this public key until it lists the web origin of that address: an ' +
        'Owner or a developer adds it to its allowed_origins with PATCH /v1/api-keys/{id} or in the ' +
        'dashboard, under Developers',
  description: ({ key_description: description }: KeyBoundsRow) =>
    `must be absent or what this public key says: ${description}`,
};
