import { formatNaira } from '../../domain/shared/money.ts';
import type { Fields } from '../../domain/shared/problems.ts';

/** What the API says of fields, in the words of forms: amounts in naira, no values of the API. */
export const inWords = (problems: Fields): Fields =>
  Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => [
      field.replace(/\.\d+$/, ''), // an entry of a list goes by the list's name
      problem
        .replace(/[\d,.]+ naira \((\d+) kobo\)/, (_, kobo) => formatNaira(Number(kobo)))
        .replace(/ \(\d+ kobo\)$/, '')
        .replace(/^must be an integer$/, 'must be a whole number')
        .replace(/^must be one of .*/s, 'is none of the choices')
        .replace(/^must match pattern "\^(\w+_).*/, 'must be an id that begins with $1')
        .replace(/^must have at least 1 entry$/, 'must have at least one choice'),
    ]),
  );
