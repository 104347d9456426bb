import { expect } from 'chai';
import { csvRows } from './csv-rows.ts';

/** What a spreadsheet makes of a statement's file, in kobo by account; its lines must add up. */
export function readded(csv: string): Record<string, { opening: number; closing: number }> {
  const rows = csvRows(csv);
  const sumOf = (wanted: Record<string, string>) =>
    rows
      .filter((row) => Object.entries(wanted).every(([name, value]) => row[name] === value))
      .reduce((sum, { amount_kobo: kobo }) => sum + Number(kobo), 0);
  const accounts = rows.filter(({ line }) => line === 'closing').map(({ account }) => account!);
  const balances = accounts.map((account) => {
    const opening = sumOf({ line: 'opening', account });
    const closing = sumOf({ line: 'closing', account });
    const moved = sumOf({ debit: account }) - sumOf({ credit: account });
    expect(opening + moved, account).to.equal(closing);
    return [account, { opening, closing }] as const;
  });
  expect(sumOf({ line: 'closing' }), 'all accounts').to.equal(0);
  expect(sumOf({ line: 'payout' })).to.equal(sumOf({ line: 'all_payouts' }));
  for (const account of ['held_by_dispute', 'payers', 'differences'])
    expect(sumOf({ line: 'open', account })).to.equal(sumOf({ line: 'closing', account }));
  return Object.fromEntries(balances);
}
