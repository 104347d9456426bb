import { DateTime } from 'luxon';

/** Days, of which the first and the last count in. */
export interface Span {
  from: string;
  to: string;
  days: string[];
  /** The first day of as many days before it. */
  before: string;
  /** What was asked for is none: these are the last days. */
  isWrong: boolean;
}

const DEFAULT_DAYS = 30;
const MOST_DAYS = 366;

/** Up to `today` where no last day is asked for. */
export function spanOf({ from, to }: Record<string, string>, today: string): Span {
  const last = dayOf(to || today);
  const first = from ? dayOf(from) : last.minus({ days: DEFAULT_DAYS - 1 });
  const count = last.diff(first, 'days').days + 1;
  const before = first.minus({ days: count });
  // PostgreSQL has no year 0.
  if (!(count >= 1 && count <= MOST_DAYS && before.year >= 1))
    return { ...spanOf({}, today), isWrong: true };
  const days = Array.from({ length: count }, (_, n) => isoOf(first.plus({ days: n })));
  return { from: isoOf(first), to: isoOf(last), days, before: isoOf(before), isWrong: false };
}

export function presetsFor(today: string): { title: string; from: string; to: string }[] {
  const day = dayOf(today);
  const lastMonth = day.minus({ months: 1 });
  return [
    ...[7, 30, 90].map((count) => ({
      ...{ title: `${count} days`, from: isoOf(day.minus({ days: count - 1 })), to: today },
    })),
    { title: 'This month', from: isoOf(day.startOf('month')), to: today },
    {
      ...{ title: 'Last month', from: isoOf(lastMonth.startOf('month')) },
      to: isoOf(lastMonth.endOf('month')),
    },
  ];
}

/** `+12.5 %`; undefined: there was nothing to compare with. */
export function changeInWords(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const percent = ((now - before) / Math.abs(before)) * 100;
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`;
}

/** Invalid for what is no day of a year with four digits. */
function dayOf(text: string): DateTime {
  return DateTime.fromFormat(text, 'yyyy-MM-dd', { zone: 'utc' });
}

const isoOf = (day: DateTime) => day.toISODate()!;
