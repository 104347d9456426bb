import { payerColumns } from '../../shared/payer-data.ts';
import { Charge } from '../entities/charge.ts';
import { isOver, isRetryable } from './ending.ts';
import type { ChargeRow } from './row.ts';
import { wasPaid } from './transitions.ts';

/**
 * What the payer of a charge is mailed: its receipt, or where to pay it. Undefined: nothing, as the
 * whole payment went back, nobody can pay it now, or the payer was erased.
 */
export function payerMailOf(charge: ChargeRow, now: Date): 'receipt' | 'checkout' | undefined {
  if (charge.email === payerColumns(Charge).email || charge.status === 'refunded') return undefined;
  if (wasPaid(charge.status)) return 'receipt';
  // A person decides on the review before the payer is asked for money again.
  const isPayable = !isOver(charge, now) && charge.review.length === 0;
  return isPayable || isRetryable(charge, now) ? 'checkout' : undefined;
}
