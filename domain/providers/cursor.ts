import { ProviderError } from './provider.ts';

/** The page number in a cursor. Throws `unknown` for any other text, rather than start again. */
export function pageNumberOf(cursor: string | null, first: 0 | 1, stage: string): number {
  if (cursor === null) return first;
  if (/^[1-9]\d{0,5}$/.test(cursor)) return Number(cursor);
  throw new ProviderError('unknown', stage, 'the cursor is not one of ours');
}
