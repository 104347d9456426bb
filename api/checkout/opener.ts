import type { Request, Response } from 'express';
import type { ChargeRow } from '../../domain/payments/charge/row.ts';
import { checkoutIdOf, referenceOf } from '../../domain/shared/ids.ts';
import type { PayState } from './pay-state.ts';

type Outcome = 'success' | 'failed';

const outcomes: Partial<Record<PayState, Outcome>> = {
  done: 'success',
  refunded: 'success',
  failed: 'failed',
  expired: 'failed',
};

/** What the view reports to the page that opened it, and to which origin; null: nothing. */
export function reportToOpener(charge: ChargeRow, state: PayState) {
  const status = outcomes[state];
  if (charge.opener_origin === null || status === undefined) return null;
  return {
    origin: charge.opener_origin,
    checkout: checkoutIdOf(charge.id),
    reference: referenceOf(charge.number),
    status,
  };
}

/** Without this header a view is cut off from the window that opened it. */
export function keepOpener(response: Response): void {
  response.set('Cross-Origin-Opener-Policy', 'unsafe-none');
}

/** Only pages of the origin that asked for the charge may read its status. */
export function shareWithOpener(
  { headers }: Request,
  response: Response,
  { opener_origin: origin }: ChargeRow,
): void {
  response.vary('Origin');
  if (origin !== null && headers.origin === origin)
    response.set('Access-Control-Allow-Origin', origin);
}
