import type { Channel } from '../../providers/port/payment.ts';
import { referenceOf } from '../../shared/ids.ts';
import { formatNaira } from '../../shared/money.ts';
import { timeIn } from '../../shared/time-in.ts';
import type { ChargeRow } from './row.ts';

export interface Business {
  merchant: string;
  timeZone: string;
}

export function receiptOf(
  charge: ChargeRow,
  { merchant, timeZone }: Business,
): [name: string, value: string][] {
  const { channel, description, refunded_kobo: refundedKobo } = charge;
  return [
    ['Paid to', merchant],
    ['Paid by', charge.name ?? charge.email],
    ['Amount', formatNaira(charge.amount_kobo)],
    ...line('Refunded', refundedKobo > 0 ? formatNaira(refundedKobo) : null),
    ...line('For', description),
    ...line('Order number', charge.merchant_reference),
    ['Date', timeIn(timeZone, charge.occurred_at)],
    ...line('Method', channel && channelNames[channel]),
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
