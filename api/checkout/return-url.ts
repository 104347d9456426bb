import type { ChargeRow } from '../../domain/payments/charge/row.ts';
import { referenceOf } from '../../domain/shared/ids.ts';

/**
 * Adds `reference` and `status`; the merchant's own query stays, but for these two. Their page
 * should ask the API, because anybody can type an address.
 */
export function returnUrlOf({
  return_url: returnUrl,
  number,
  status,
}: Pick<ChargeRow, 'return_url' | 'number' | 'status'>): string | null {
  if (returnUrl === null) return null;
  const url = new URL(returnUrl);
  const added = { reference: referenceOf(number), status };
  const own = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !(nameOf(part) in added));
  url.search = [...own, ...Object.entries(added).map((pair) => pair.join('='))].join('&');
  return url.href;
}

function nameOf(part: string): string {
  const [name = ''] = new URLSearchParams(part).keys();
  return name;
}
