import { expect } from 'chai';
import { receiptOf } from '../../../api/checkout/receipt.ts';
import type { ChargeRow } from '../../../domain/payments/charge/row.ts';

const charge = {
  amount_kobo: 1_250_050,
  refunded_kobo: 0,
  description: 'Two bags of rice',
  channel: 'bank_transfer',
  number: 100_042,
  mode: 'live',
  occurred_at: new Date('2026-01-31T23:30:00Z'),
} as ChargeRow;

describe('A receipt', () => {
  it('states who was paid, how much, for what, when by the clocks of Lagos, and how', () => {
    expect(receiptOf(charge, 'Test Store')).to.deep.equal([
      ['Paid to', 'Test Store'],
      ['Amount', '₦12,500.50'],
      ['For', 'Two bags of rice'],
      ['Date', '1 February 2026, 00:30 (Lagos time)'],
      ['Paid by', 'Bank transfer'],
      ['Reference', 'SV-100042'],
    ]);
  });

  it('leaves out what is not known', () => {
    const names = receiptOf({ ...charge, description: null, channel: 'other' }, 'Test Store').map(
      ([name]) => name,
    );
    expect(names).to.deep.equal(['Paid to', 'Amount', 'Date', 'Reference']);
  });

  it('names the channel as payers do', () => {
    const names = { card: 'Card', ussd: 'USSD', qr: 'QR code', mobile_money: 'Mobile money' };
    for (const [channel, name] of Object.entries(names))
      expect(receiptOf({ ...charge, channel } as ChargeRow, 'Test Store')).to.deep.include([
        'Paid by',
        name,
      ]);
  });

  it('states what was refunded, and that a test moved no money', () => {
    const lines = receiptOf({ ...charge, refunded_kobo: 50_000, mode: 'test' }, 'Test Store');
    expect(lines).to.deep.include(['Refunded', '₦500.00']);
    expect(lines).to.deep.include(['Mode', 'Test: no real money moved']);
  });
});
