import type { RowOf } from '../../shared/columns.ts';
import { formatNaira } from '../../shared/money.ts';
import { invalid } from '../../shared/problems.ts';
import type { ApiKey } from '../entities/api-key.ts';

/** What a public key, which anybody can read in a web page, may be used for. Null: anything. */
export type KeyBounds = Pick<
  RowOf<typeof ApiKey>,
  'allowed_origins' | 'min_amount_kobo' | 'max_amount_kobo' | 'description'
>;

export const unbounded: KeyBounds = {
  allowed_origins: null,
  min_amount_kobo: null,
  max_amount_kobo: null,
  description: null,
};

export function boundsOf(key: KeyBounds): KeyBounds {
  const { allowed_origins, min_amount_kobo, max_amount_kobo, description } = key;
  return { allowed_origins, min_amount_kobo, max_amount_kobo, description };
}

/** Refuses bounds of a secret key, and an amount range that is empty. `given` names the fields. */
export function checkBounds(
  key: Pick<RowOf<typeof ApiKey>, 'kind'> & KeyBounds,
  given: Partial<KeyBounds>,
): void {
  const bounds = Object.keys(unbounded) as (keyof KeyBounds)[];
  const refused = key.kind === 'secret' ? bounds.filter((field) => given[field] != null) : [];
  if (refused.length > 0)
    throw invalid(Object.fromEntries(refused.map((field) => [field, FOR_PUBLIC_KEYS])));
  const { min_amount_kobo: min, max_amount_kobo: max } = key;
  if (min === null || max === null || min <= max) return;
  if (given.max_amount_kobo == null)
    throw invalid({
      min_amount_kobo: `must not be above the key’s greatest amount, ${formatNaira(max)}`,
    });
  throw invalid({
    max_amount_kobo: `must not be below the key’s least amount, ${formatNaira(min)}`,
  });
}

const FOR_PUBLIC_KEYS = 'is for public keys only: a secret key belongs on a server';
