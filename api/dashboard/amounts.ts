import { type ChargeStatus, wasPaid } from '../../domain/payments/charge/transitions.ts';
import { invalid } from '../../domain/shared/problems.ts';

/** The net sum in kobo; null: nothing paid it. */
export function netKoboOf(transaction: { status: ChargeStatus; net_kobo: number }): number | null {
  return wasPaid(transaction.status) ? transaction.net_kobo : null;
}

/** With a comma only between thousands: elsewhere one may be meant for a decimal point. */
const NAIRA = /^(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/;

/** Reads `2,500` or `2500.50`, with or without `₦`. Throws 422 for what may be read in two ways. */
export function koboOf(field: string, typed: unknown): number {
  const kobo = typeof typed === 'string' ? koboIn(typed) : undefined;
  if (kobo === undefined) throw invalid({ [field]: 'must be an amount in naira, like 2,500.00' });
  return kobo;
}

/** Undefined: it is no amount in naira, or may be read in two ways. */
export function koboIn(text: string): number | undefined {
  const [, naira, kobo = ''] = NAIRA.exec(text.replaceAll(/[\s₦]/g, '')) ?? [];
  if (naira === undefined) return undefined;
  return Number(naira.replaceAll(',', '')) * 100 + Number(kobo.padEnd(2, '0'));
}
