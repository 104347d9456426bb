import addFormats from 'ajv-formats';
import { originOf } from '../../domain/accounts/api-key/web-origin.ts';
import { isLocalHost } from '../../domain/shared/hosts.ts';

interface Format {
  isValid: (value: string) => boolean;
  rule: string;
  /** Every valid value matches; some others do too. */
  pattern: string;
}

const NO_NUL = '^[^\\x00]*$';

/** PostgreSQL takes neither NUL nor lone surrogates, so every string of a caller has a format. */
export const formats: Record<string, Format> = {
  text: {
    isValid: isText,
    rule: 'must be text without NUL characters or broken Unicode',
    pattern: NO_NUL,
  },
  'not-blank': {
    isValid: (value) => isText(value) && value.trim() !== '',
    rule: 'must not be blank',
    pattern: '^[^\\x00]*\\S[^\\x00]*$',
  },
  base64: {
    isValid: (value) => /^[A-Za-z0-9+/]+={0,2}$/.test(value) && value.length % 4 === 0,
    rule: 'must be base64',
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
  },
  printable: {
    isValid: (value) => isText(value) && !/\p{C}/u.test(value),
    rule: 'must be printable text',
    pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*$',
  },
  phone: {
    isValid: (value) => /^\+?[0-9][0-9 -]*$/.test(value) && /^\D*(\d\D*){7,15}$/.test(value),
    rule: 'must be a phone number of 7 to 15 digits, with an optional + in front, spaces and dashes',
    pattern: '^\\+?[0-9][0-9 -]*$',
  },
  'email-or-phone': {
    isValid: (value) => isEmail(value) || formats.phone!.isValid(value),
    rule: 'must be an e-mail address or a phone number',
    pattern: '^(\\S+@\\S+|\\+?[0-9][0-9 -]*)$',
  },
  instant: {
    isValid: isInstant,
    rule: 'must be a time like 2026-01-31T09:00:00Z',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)$',
  },
  'web-address': {
    isValid: isWebAddress,
    rule: 'must be an https address (http only on localhost), without a user name or password',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?:\\S+$',
  },
  'web-origin': {
    isValid: (value) => originOf(value) !== undefined,
    rule: 'must be a web origin like https://shop.example: scheme, host and port, nothing behind them (http only on localhost)',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@*]+$',
  },
  date: {
    isValid: isDate,
    rule: 'must be a date like 2026-01-31',
    pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  },
  'metadata-key': {
    isValid: (value) => isText(value) && value !== '__proto__',
    rule: 'is not a name metadata can have',
    pattern: NO_NUL,
  },
  'time-zone': {
    isValid: isTimeZone,
    rule: 'must be the name of a time zone, like Africa/Lagos',
    pattern: '^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$',
  },
  'account-code': {
    isValid: (value) => /^[\p{L}\p{N}]+([ ./_:-][\p{L}\p{N}]+)*$/u.test(value),
    rule: 'must be letters and digits, with single spaces or . / _ : - between them',
    pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*$',
  },
  'service-reference': {
    isValid: (value) => /^SV-[1-9][0-9]*$/.test(value),
    rule: 'must be the service reference of a charge, like SV-100001',
    pattern: '^SV-[1-9][0-9]*$',
  },
};

export function ruleOf(format: string): string | undefined {
  return format === 'email' ? 'must be an e-mail address' : formats[format]?.rule;
}

const isEmail = (value: string) => (addFormats.default.get('email') as RegExp).test(value);

function isText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** A name that Intl knows, an alias like Europe/Kyiv too; it also takes offsets, which are none. */
function isTimeZone(value: string): boolean {
  if (!/^[a-z][\w+/-]*$/i.test(value)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: value }));
  } catch {
    return false;
  }
}

/** ISO 8601 with its offset, of a day that exists. */
function isInstant(value: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
    isDate(value.slice(0, 10)) &&
    !Number.isNaN(Date.parse(value))
  );
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || value.startsWith('0000')) return false;
  const midnight = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(value);
}

/** https (plain on local hosts); no credentials, no white space, which parsers drop silently. */
function isWebAddress(value: string): boolean {
  if (!isText(value) || /[\s\p{C}]/u.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  if (url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocalHost(url.hostname));
}
