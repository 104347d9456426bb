import { expect } from 'chai';
import { receiptOf } from '../../../../domain/payments/charge/receipt.ts';
import type { ChargeRow } from '../../../../domain/payments/charge/row.ts';

const shop = { merchant: 'Test Store', timeZone: 'Africa/Lagos' };
const charge = {
  email: 'ada@example.com',
  name: 'Ada Obi',
  merchant_reference: 'order-1042',
  amount_kobo: 1_250_050,
  refunded_kobo: 0,
  description: 'Two bags of rice',
  channel: 'bank_transfer',
  number: 100_042,
  mode: 'live',
  occurred_at: new Date('2026-01-31T23:30:00Z'),
} as ChargeRow;

describe('A receipt', () => {
  it('states who was paid by whom, how much, for what, when by the business’s clocks, and how', () => {
    expect(receiptOf(charge, shop)).to.deep.equal([
      ['Paid to', 'Test Store'],
      ['Paid by', 'Ada Obi'],
      ['Amount', '₦12,500.50'],
      ['For', 'Two bags of rice'],
      ['Order number', 'order-1042'],
      ['Date', '1 February 2026, 00:30 (Lagos time)'],
      ['Method', 'Bank transfer'],
      ['Reference', 'SV-100042'],
    ]);
  });

  it('leaves out what is not known', () => {
    const unknown = { name: null, description: null, merchant_reference: null, channel: 'other' };
    const lines = receiptOf({ ...charge, ...unknown } as ChargeRow, shop);
    expect(lines).to.deep.include(['Paid by', 'ada@example.com']);
    const names = lines.map(([name]) => name);
    expect(names).to.deep.equal(['Paid to', 'Paid by', 'Amount', 'Date', 'Reference']);
  });

  it('names the channel as payers do', () => {
    const names = { card: 'Card', ussd: 'USSD', qr: 'QR code', mobile_money: 'Mobile money' };
    for (const [channel, name] of Object.entries(names))
      expect(receiptOf({ ...charge, channel } as ChargeRow, shop)).to.deep.include([
        'Method',
        name,
      ]);
  });

  it('states what was refunded, and that a test moved no money', () => {
    const lines = receiptOf({ ...charge, refunded_kobo: 50_000, mode: 'test' }, shop);
    expect(lines).to.deep.include(['Refunded', '₦500.00']);
    expect(lines).to.deep.include(['Mode', 'Test: no real money moved']);
  });
});
