import { formatNaira } from '../../domain/shared/money.ts';
import { DAY_MS } from '../../domain/shared/units.ts';

/** Amounts and times, in the business's time zone. */
export interface Formats {
  /** Kobo as `₦1,500.00`. */
  naira: (amountKobo: number) => string;
  /** ISO 8601 as `22 Nov 2026, 13:05`; a day alone where a provider stated no time. */
  time: (iso: string | Date | null) => string;
  /** ISO 8601, or an ISO date, as `22 Nov 2026`. */
  day: (iso: string | Date | null) => string;
}

export function formatsFor(timeZone: string): Formats {
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium' });
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const dayOnly = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium' });
  const isDate = (iso: unknown) => typeof iso === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(iso);
  // Providers that state a day state its midnight in UTC.
  const isMidnight = (iso: string | Date) => new Date(iso).getTime() % DAY_MS === 0;
  return {
    naira: formatNaira,
    time: (iso) => (iso === null ? '–' : (isMidnight(iso) ? dayOnly : time).format(new Date(iso))),
    day: (iso) => (iso === null ? '–' : (isDate(iso) ? dayOnly : day).format(new Date(iso))),
  };
}

export type Badge = { text: string; colour: keyof typeof coloured | 'secondary' };

const coloured = {
  green: [
    'succeeded',
    'settled',
    'completed',
    'landed',
    'active',
    'delivered',
    'paid',
    'sent',
    'won',
  ],
  blue: ['pending', 'approved', 'processing', 'waiting', 'sending'],
  yellow: ['requested', 'open', 'disputed', 'invited'],
  red: ['failed', 'short', 'exhausted', 'refused'],
};

/** A status that is not known shows as it is. */
export function badgeOf(status: string): Badge {
  const colours = Object.keys(coloured) as (keyof typeof coloured)[];
  const colour = colours.find((each) => coloured[each].includes(status)) ?? 'secondary';
  return { text: sentence(status), colour };
}

/** A name of the API as people write it: `bank_transfer` as `Bank transfer`, `ussd` as `USSD`. */
export function sentence(name: string): string {
  const text = name
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/\b(api|id|qr|url|ussd)\b/g, (word) => word.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** JSON on lines of its own; a text that is none, as one that was cut, stays. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function endpointBadge(endpoint: { status: string; failing_since: string | null }): Badge {
  if (endpoint.status === 'disabled') return badgeOf('disabled');
  return endpoint.failing_since === null
    ? { text: 'Working', colour: 'green' }
    : { text: 'Failing', colour: 'red' };
}
