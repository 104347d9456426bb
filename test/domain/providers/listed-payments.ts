import { expect } from 'chai';
import type { ListedPayment } from '../../../domain/providers/settlements.ts';

/** How an adapter's list of payments is written. */
export interface PaymentList {
  /** What the adapter makes of a page with these rows. */
  list(rows: unknown[]): Promise<ListedPayment[]>;
  /** A complete row of a paid payment, and what the adapter makes of it. */
  row: Record<string, unknown>;
  listed: ListedPayment;
  /** The names of its fields. */
  id: string;
  reference: string;
  status: string;
  amounts: string[];
}

/** The rules for rows of every list of payments: they tell whom to ask about, and nothing else. */
export function describeListedPayments(provider: string, payments: PaymentList): void {
  const { list, row, listed } = payments;
  const only = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, row[name]] as const));
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

  describe(`A row of ${provider}'s payments`, () => {
    it('needs a reference and a status, and nothing else', async () => {
      expect(await list([row])).to.deep.equal([listed]);
      expect(await list([only(payments.reference, payments.status)])).to.deep.equal([
        { ...listed, providerPaymentId: null, amountKobo: null, at: null },
      ]);
    });

    it('may name the payment alone, or state an amount that is not clear', async () => {
      expect(await list([without(payments.reference)])).to.deep.equal([
        { ...listed, reference: '' },
      ]);
      const unclear = Object.fromEntries(payments.amounts.map((name) => [name, '1.2345,6']));
      expect((await list([{ ...row, ...unclear }]))[0]).to.include({
        providerPaymentId: listed.providerPaymentId,
        reference: listed.reference,
        amountKobo: null,
      });
    });

    it('whose status is not known is listed, and not as paid', async () => {
      const [payment] = await list([{ ...row, [payments.status]: 'unheard-of' }]);
      expect(payment).to.deep.include({ ...listed, isPaid: false });
    });

    it('that cannot be read is left out, and none of its page with it', async () => {
      const unreadable = [
        ...[null, 7, 'x', [], {}],
        without(payments.status),
        without(payments.reference, payments.id),
        { ...without(payments.reference), [payments.id]: 'not an id' },
      ];
      for (const odd of unreadable)
        expect(await list([odd, row]), JSON.stringify(odd)).to.deep.equal([listed]);
    });
  });
}
