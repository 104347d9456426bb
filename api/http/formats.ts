import { originOf } from '../../domain/accounts/api-key/web-origin.ts';
import { isLocalHost } from '../../domain/shared/hosts.ts';

/** Formats of ours. Postgres takes neither NUL nor lone surrogates, so every string a caller sends has a format. */
export const ownFormats: Record<string, (value: string) => boolean> = {
  text: isText,
  printable: (value) => isText(value) && !/\p{C}/u.test(value),
  phone: (value) => /^\+?[0-9][0-9 -]*$/.test(value) && /^\D*(\d\D*){7,15}$/.test(value),
  instant: isInstant,
  'web-address': isWebAddress,
  'web-origin': (value) => originOf(value) !== undefined,
  date: isDate,
  'metadata-key': (value) => isText(value) && value !== '__proto__',
  'service-reference': (value) => /^SV-[1-9][0-9]*$/.test(value),
};

/** What is wrong with a value that has not its format. */
export const formatRules: Record<string, string> = {
  email: 'must be an e-mail address',
  text: 'must be text without NUL characters or broken Unicode',
  printable: 'must be printable text',
  phone: 'must be a phone number of 7 to 15 digits, with an optional + in front, spaces and dashes',
  date: 'must be a date like 2026-01-31',
  instant: 'must be a time like 2026-01-31T09:00:00Z',
  'web-address':
    'must be an https address (http only on localhost), without a user name or password',
  'web-origin':
    'must be a web origin like https://shop.example: scheme, host and port, nothing behind them (http only on localhost)',
  'metadata-key': 'is not a name metadata can have',
  'service-reference': 'must be the service reference of a charge, like SV-100001',
};

function isText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** ISO 8601 with its offset, of a day there is. */
function isInstant(value: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
    isDate(value.slice(0, 10)) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** A day there is, in a year Postgres knows. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || value.startsWith('0000')) return false;
  const midnight = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(value);
}

/** https, or plain http on the local hosts only; no credentials in it, nor white space, which parsers would drop without a word. */
function isWebAddress(value: string): boolean {
  if (!isText(value) || /[\s\p{C}]/u.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  if (url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocalHost(url.hostname));
}
