/** A query parameter, if it was given once and not empty. */
export function text(query: Record<string, unknown>, name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An id in an address or a body. One too long for our numbering is a number that nothing has. */
export function toId(value: unknown): number | undefined {
  const digits = String(value);
  if (!/^\d+$/.test(digits)) return undefined;
  return digits.length > 15 ? 0 : Number(digits);
}

/** A whole number from 1 on; the default when none is given. */
export function toCount(digits: string | undefined, fallback: number): number | undefined {
  if (digits === undefined) return fallback;
  return /^[1-9]\d{0,5}$/.test(digits) ? Number(digits) : undefined;
}

/** Text that is not empty; undefined for anything else. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An object's fields; none of anything else. */
export function toFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Whether a customer could be written to there. */
export function isEmail(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= 254 &&
    /^[^\s@\0]+@[^\s@\0]+\.[^\s@\0]+$/.test(value)
  );
}

/** Whether a browser could be sent there. */
export function isWebAddress(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^https?:\/\/[!-~]+$/.test(value) &&
    value.length <= 2048 &&
    URL.canParse(value)
  );
}
