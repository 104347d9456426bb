import type { KeyBounds } from '../../../domain/accounts/api-key/key-bounds.ts';
import { formatNaira } from '../../../domain/shared/money.ts';

export function boundsInWords(key: KeyBounds): string {
  const bounds = [
    key.allowed_origins?.join(', '),
    amountsOf(key),
    key.description && `“${key.description}”`,
  ].filter(Boolean);
  return bounds.join('; ') || 'Any payment from anywhere';
}

function amountsOf({ min_amount_kobo: min, max_amount_kobo: max }: KeyBounds): string | undefined {
  if (min !== null && max !== null) return `${formatNaira(min)} to ${formatNaira(max)}`;
  if (min !== null) return `at least ${formatNaira(min)}`;
  return max === null ? undefined : `at most ${formatNaira(max)}`;
}
