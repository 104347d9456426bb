/** Kobo as the naira of JSON, exact up to 15 digits. */
export function toNaira(kobo: number): number {
  return kobo / 100;
}

/** Kobo as naira with both decimals, as some providers spell amounts. */
export function toNairaText(kobo: number): string {
  const digits = String(Math.abs(kobo)).padStart(3, '0');
  return `${kobo < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Naira with up to two decimals as kobo, by their digits and never by multiplying. */
export function toKobo(naira: unknown): number | undefined {
  if (typeof naira !== 'number' && typeof naira !== 'string') return undefined;
  const [, whole, decimals = ''] = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(String(naira)) ?? [];
  return whole === undefined ? undefined : Number(whole + decimals.padEnd(2, '0'));
}
