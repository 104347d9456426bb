import type { ChargeRow } from '../../domain/payments/charge/row.ts';
import type { Channel } from '../../domain/providers/port/payment.ts';
import { referenceOf } from '../../domain/shared/ids.ts';
import { inLagos } from '../../domain/shared/lagos.ts';
import { formatNaira } from '../../domain/shared/money.ts';

export function receiptOf(charge: ChargeRow, merchant: string): [name: string, value: string][] {
  const { channel, description, refunded_kobo: refundedKobo } = charge;
  return [
    ['Paid to', merchant],
    ['Amount', formatNaira(charge.amount_kobo)],
    ...line('Refunded', refundedKobo > 0 ? formatNaira(refundedKobo) : null),
    ...line('For', description),
    ['Date', inLagos(charge.occurred_at).toFormat("d LLLL yyyy, HH:mm '(Lagos time)'")],
    ...line('Paid by', channel && channelNames[channel]),
    ['Reference', referenceOf(charge.number)],
    ...line('Mode', charge.mode === 'test' ? 'Test: no real money moved' : null),
  ];
}

function line(name: string, value: string | null): [string, string][] {
  return value === null ? [] : [[name, value]];
}

/** As payers call them; others are not named. */
const channelNames: Record<Channel, string | null> = {
  card: 'Card',
  bank_transfer: 'Bank transfer',
  ussd: 'USSD',
  qr: 'QR code',
  mobile_money: 'Mobile money',
  other: null,
};
