import { expect } from 'chai';
import { type ConformanceFixture, options } from './fixture.ts';

/** More than two pages of every list. */
const COUNT = 210;

export function describeSettling(fixture: ConformanceFixture): void {
  const readAll = async <Row>(
    page: (cursor: string | null) => Promise<{ rows: Row[]; next: string | null }>,
    cursor: string | null = null,
  ): Promise<Row[]> => {
    const { rows, next } = await page(cursor);
    return next === null ? rows : [...rows, ...(await readAll(page, next))];
  };

  describe('settling', () => {
    it('lists many payments, and the settlement that pays them out, each once and to the kobo', async () => {
      const { provider, control, accountId, now, pass, newReference } = fixture.adapter;
      await fixture.paid();
      await control.settle(accountId);
      await pass(10 * 86_400_000); // some lists are of whole days, with days on either side
      const from = now();
      const paid = Array.from({ length: COUNT }, (_, n) => ({
        ...{ reference: newReference(), amountKobo: 500_000 + n },
      }));
      for (const { reference, amountKobo: amount_kobo } of paid) {
        const payment = { provider: fixture.traits.adapter, reference, amount_kobo };
        await control.stranger(accountId, payment);
      }
      const span = { from, to: now() };
      const listed = await readAll((cursor) => provider.listPayments({ ...span, cursor }, options));
      const briefly = (rows: typeof paid) =>
        rows.map(({ reference, amountKobo }) => ({ reference, amountKobo }));
      expect(briefly(listed as typeof paid)).to.have.deep.members(paid);

      const settled = await control.settle(accountId, { short_by_kobo: 700 });
      const isListed = fixture.capabilities.settlements === 'list';
      const [settlement] = isListed
        ? await readAll((cursor) => provider.listSettlements({ ...span, cursor }, options))
        : [await provider.findSettlement(listed[0]!.providerPaymentId!, options)];
      const { provider_settlement_id: providerSettlementId } = settled;
      expect(settlement).to.include({ providerSettlementId, state: 'landed' });
      expect(settlement!.amountKobo).to.equal(isListed ? settled.landed_kobo : null);
      const lines = await readAll((cursor) =>
        provider.listLines({ providerSettlementId, cursor }, options),
      );
      expect(briefly(lines)).to.have.deep.members(paid);
      const feeKobo = lines.reduce((total, line) => total + line.feeKobo!, 0);
      expect(feeKobo).to.equal(settled.fee_kobo);
    });
  });
}
