const minuteMs = 60_000;
/** Lagos is an hour ahead of Greenwich, all year. */
const lagosMs = 60 * minuteMs;

/** `17/11/2021 3:48:10 PM`: what most answers show, in Lagos time and not saying so. */
export function slashDate(date: Date): string {
  const { year, month, day, hour, minute, second } = parts(date);
  return `${day}/${month}/${year} ${hour % 12 || 12}:${minute}:${second} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** The same with two digits for the hour, as settlement notifications write it. */
export const paddedSlashDate = (date: Date): string => slashDate(date).replace(/ (\d):/, ' 0$1:');

/** `2021-11-17 11:28:42.615`: what notifications of payments show, in Lagos time too. */
export function dashDate(date: Date): string {
  return lagos(date).toISOString().slice(0, 23).replace('T', ' ');
}

/** `2019-07-24T14:12:27.000+0000`: what the search shows. */
export const offsetDate = (date: Date): string => date.toISOString().replace('Z', '+0000');

/** Milliseconds since 1970, as filters take them; undefined for any other text. */
export function epochDate(digits: string): Date | undefined {
  return /^\d{1,13}$/.test(digits) ? new Date(Number(digits)) : undefined;
}

/** `20211117112842`: what stands inside a transaction reference. */
const stamp = (date: Date): string => lagos(date).toISOString().replace(/\D/g, '').slice(0, 14);

const lagos = (date: Date): Date => new Date(date.getTime() + lagosMs);

function parts(date: Date) {
  const [year, month, day, hour, minute, second] = lagos(date).toISOString().split(/\D/);
  return { year, month, day, hour: Number(hour), minute, second };
}

/** `MNFY|98|20260302100000|123456`: the payment's number around the time. */
export function transactionReference(paymentId: number, now: Date): string {
  const digits = String(paymentId % 100_000_000).padStart(8, '0');
  return `MNFY|${digits.slice(0, 2)}|${stamp(now)}|${digits.slice(2)}`;
}
