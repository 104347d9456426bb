import addFormats from 'ajv-formats';
import { originOf } from '../../domain/accounts/api-key/web-origin.ts';
import { isLocalHost } from '../../domain/shared/hosts.ts';

interface Format {
  isValid: (value: string) => boolean;
  rule: string;
  /** Every valid value matches. */
  pattern: string;
}

/** `isValid` says what the pattern cannot, or not for the regular expressions of every language. */
function format(
  rule: string,
  pattern: string,
  isValid: (value: string) => boolean = () => true,
): Format {
  const form = new RegExp(pattern, 'u');
  return {
    rule,
    pattern,
    isValid: (value) => isText(value) && form.test(value) && isValid(value),
  };
}

const NO_NUL = '^[^\\x00]*$';
const PHONE = '\\+?[0-9](?:[ -]*[0-9]){6,14}[ -]*';

/**
 * Controls, and what is invisible or turns the direction of writing. Go compiles no file with the
 * byte order mark in it, so a range that begins before it has it.
 */
const UNPRINTABLE =
  '\\x00-\\x1f\\x7f-\\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufefd-\uff00' +
  '\ufff0-\ufffb';

/** PostgreSQL takes neither NUL nor lone surrogates, so every string of a caller has a format. */
export const formats: Record<string, Format> = {
  text: format('must be text without NUL characters or broken Unicode', NO_NUL),
  'not-blank': format('must not be blank', '^[^\\x00]*\\S[^\\x00]*$'),
  base64: format('must be base64', '^[A-Za-z0-9+/]+={0,2}$', (value) => value.length % 4 === 0),
  printable: format('must be printable text', `^[^${UNPRINTABLE}]*$`, hasNoTags),
  cursor: format('must be the next_cursor of an earlier page of this list', '^[A-Za-z0-9_-]+$'),
  phone: format(
    'must be a phone number of 7 to 15 digits, with an optional + in front, spaces and dashes',
    `^${PHONE}$`,
  ),
  'email-or-phone': format(
    'must be an e-mail address or a phone number',
    `^(\\S+@\\S+|${PHONE})$`,
    (value) => !value.includes('@') || isEmail(value),
  ),
  instant: format(
    'must be a time like 2026-01-31T09:00:00Z',
    '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)$',
    (value) => isDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)),
  ),
  'web-address': format(
    'must be an https address (http only on localhost), without a user name or password',
    '^[Hh][Tt][Tt][Pp][Ss]?:\\S+$',
    isWebAddress,
  ),
  'webhook-url': format(
    'must be an https address, in printable characters',
    `^[Hh][Tt][Tt][Pp][Ss]?:[^\\s${UNPRINTABLE}]+$`,
    hasNoTags,
  ),
  'web-origin': format(
    'must be a web origin like https://shop.example: scheme, host and port, nothing behind them (http only on localhost)',
    '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@*]+$',
    (value) => originOf(value) !== undefined,
  ),
  date: format('must be a date like 2026-01-31', '^\\d{4}-\\d\\d-\\d\\d$', isDate),
  'metadata-key': format(
    'is not a name metadata can have',
    NO_NUL,
    (value) => value !== '__proto__',
  ),
  'time-zone': format(
    'must be the name of a time zone, like Africa/Lagos',
    '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$',
    isTimeZone,
  ),
  'account-code': format(
    'must be letters and digits, with single spaces or . / _ : - between them',
    `^[^${UNPRINTABLE}]*$`,
    (value) => /^[\p{L}\p{N}]+([ ./_:-][\p{L}\p{N}]+)*$/u.test(value),
  ),
  'service-reference': format(
    'must be the service reference of a charge, like SV-100001',
    '^SV-[1-9][0-9]*$',
  ),
};

export function ruleOf(format: string): string | undefined {
  return format === 'email' ? 'must be an e-mail address' : formats[format]?.rule;
}

const isEmail = (value: string) => (addFormats.default.get('email') as RegExp).test(value);

function isText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** Tags are invisible copies of ASCII, outside of what patterns reach in every language. */
function hasNoTags(value: string): boolean {
  return !/[\u{e0000}-\u{e007f}]/u.test(value);
}

/** A name that Intl knows, an alias like Europe/Kyiv too. */
function isTimeZone(value: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: value }));
  } catch {
    return false;
  }
}

/** Of a day that exists. */
function isDate(value: string): boolean {
  if (value.startsWith('0000')) return false;
  const midnight = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(value);
}

/** https (plain on local hosts); no credentials, no white space, which parsers drop silently. */
function isWebAddress(value: string): boolean {
  if (/[\s\p{C}]/u.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  if (url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocalHost(url.hostname));
}
