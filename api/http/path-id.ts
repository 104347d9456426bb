import { type IdPrefix, isId } from '../../domain/shared/ids.ts';
import type { Problem } from '../../domain/shared/problems.ts';

/** The id in a path. Throws `missing()` where it does not have the form of one with this prefix. */
export function pathId(
  { id = '' }: Record<string, string>,
  prefix: IdPrefix,
  missing: () => Problem,
): string {
  if (!isId(prefix, id)) throw missing();
  return id;
}
