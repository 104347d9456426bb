import type { MemberRole } from '../../domain/accounts/roles.ts';
import { formatNaira } from '../../domain/shared/money.ts';

/** How views write amounts and times, in the business's time zone. */
export interface Formats {
  /** Kobo as `₦1,500.00`. */
  naira: (amountKobo: number) => string;
  /** ISO 8601 as `22 Nov 2026, 13:05`. */
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
  return {
    naira: formatNaira,
    time: (iso) => (iso === null ? '–' : time.format(new Date(iso))),
    day: (iso) => (iso === null ? '–' : (isDate(iso) ? dayOnly : day).format(new Date(iso))),
  };
}

/** The words of a status, and the colour of its badge. */
export interface Badge {
  text: string;
  colour: 'green' | 'blue' | 'yellow' | 'red' | 'secondary';
}

const colours: Record<string, Badge['colour']> = {
  succeeded: 'green',
  settled: 'green',
  completed: 'green',
  landed: 'green',
  active: 'green',
  delivered: 'green',
  paid: 'green',
  initiated: 'secondary',
  expected: 'secondary',
  expired: 'secondary',
  disabled: 'secondary',
  cancelled: 'secondary',
  closed: 'secondary',
  resolved: 'secondary',
  rejected: 'secondary',
  refunded: 'secondary',
  pending: 'blue',
  approved: 'blue',
  processing: 'blue',
  requested: 'yellow',
  open: 'yellow',
  disputed: 'yellow',
  invited: 'yellow',
  failed: 'red',
  short: 'red',
  exhausted: 'red',
};

/** The badge of any status of the API. One that is not known shows as it is. */
export function badgeOf(status: string): Badge {
  const text = status.replaceAll('_', ' ');
  return {
    text: text.charAt(0).toUpperCase() + text.slice(1),
    colour: colours[status] ?? 'secondary',
  };
}

/** How an endpoint is doing. */
export function endpointBadge(endpoint: { status: string; failing_since: string | null }): Badge {
  if (endpoint.status === 'disabled') return badgeOf('disabled');
  return endpoint.failing_since === null
    ? { text: 'Working', colour: 'green' }
    : { text: 'Failing', colour: 'red' };
}

/** What was done, as the audit log names it: `api_key.revoked` as `Api key revoked`. */
export function actionText(action: string): string {
  const text = action.replaceAll(/[._]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A role as people write it. */
export function roleTitle(role: MemberRole): string {
  return { owner: 'Owner', developer: 'Developer', viewer: 'Viewer' }[role];
}

/** A provider's name as people write it. */
export function providerTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replace('_', ' ');
}
