import { expect } from 'chai';
import type { SettlementLine } from '../../../../domain/providers/port/settlement.ts';
import { lineOf } from './fixture.ts';
import { type Difference, paidOut, withSettlementFixture } from './with-fixture.ts';

describe('A line of a settlement', () => {
  const { ledger, fixture, paid, passDays, reconciled, hasPaidOut } = withSettlementFixture();

  /** `details`: what the discrepancies tell a person. `feeKobo`: that of the charge, afterwards. */
  interface Row {
    states: string;
    paid?: { feeKobo: null };
    line: Partial<SettlementLine>;
    landedKobo?: number;
    open?: Difference[];
    details?: RegExp;
    feeKobo: number | null;
  }
  const rows: Row[] = [
    {
      ...{ states: 'less than was paid', line: { amountKobo: 450_000 }, feeKobo: 17_500 },
      ...{ open: [['amount_mismatch', 50_000]], details: /₦4,500.*₦5,000/ },
    },
    {
      ...{ states: 'more than was paid', line: { amountKobo: 530_000 }, feeKobo: 17_500 },
      ...{ open: [['amount_mismatch', -30_000]], details: /₦5,300.*₦5,000/ },
    },
    {
      ...{ states: 'another fee', line: { feeKobo: 20_000 }, feeKobo: 20_000 },
      ...{ open: [['fee_mismatch', 2_500]], details: /₦200.*₦175/ },
    },
    {
      ...{ states: 'another amount and another fee', feeKobo: 18_000 },
      line: { amountKobo: 490_000, feeKobo: 18_000 },
      open: [
        ['amount_mismatch', 10_000],
        ['fee_mismatch', 500],
      ],
    },
    {
      ...{ states: 'a fee that the payer bore', feeKobo: 17_500 },
      line: { amountKobo: 517_500, feeKobo: 35_000 },
    },
    { states: 'no fee', line: { feeKobo: null }, landedKobo: 482_500, feeKobo: 17_500 },
    {
      ...{ states: 'a fee that was not stated before', paid: { feeKobo: null } },
      ...{ line: { feeKobo: 9_000 }, feeKobo: 9_000 },
    },
    { states: 'no fee, like the payment', paid: { feeKobo: null }, line: {}, feeKobo: null },
  ];
  for (const { states, paid: how = {}, line, landedKobo, open = [], details, feeKobo } of rows)
    it(`that states ${states} ${open.length ? 'differs' : 'does not differ'}, and settles its charge`, async () => {
      const [payment] = await paid(how);
      const stated = landedKobo === undefined ? {} : { amountKobo: landedKobo };
      const { amountKobo } = fixture.payOut([lineOf(payment, line)], stated);
      await reconciled(...open);
      const [settlement] = await paidOut(fixture);
      const shortKobo = open.reduce((sum, [, kobo]) => sum + kobo, 0);
      expect(settlement).to.include({
        ...{ status: shortKobo > 0 ? 'short' : 'landed', gross_kobo: 500_000 },
        expected_amount_kobo: amountKobo! + shortKobo,
      });
      for (const found of await fixture.discrepancies()) {
        expect(found).to.include({
          ...{ settlement_id: settlement.id, charge_id: payment.chargeId },
          reference: payment.capture.reference,
        });
        if (details) expect(found.detail).to.match(details);
      }
      expect(await fixture.charge(payment)).to.include({
        ...{ status: 'settled', settlement_id: settlement.id, fee_kobo: feeKobo ?? 0 },
      });
      const [capture] = await ledger.rows('select fee_kobo from captures');
      expect(capture.fee_kobo).to.equal('feeKobo' in how ? feeKobo : 17_500);
    });

  it('of a payment that was paid out before differs by all of it, until the first settlement is stated without it', async () => {
    const [twice, other] = await paid({}, { amountKobo: 600_000 });
    const first = fixture.payOut([twice, other]);
    fixture.payOut([twice]);
    await reconciled(['amount_mismatch', -482_500]);
    const [holder, second] = await paidOut(fixture);
    const [found] = await fixture.discrepancies();
    expect(found).to.include({ settlement_id: second.id });
    expect(found!.detail).to.contain(holder.id);
    expect(await fixture.charge(twice)).to.include({ settlement_id: holder.id });
    expect(second).to.include({ status: 'landed', transaction_count: 0, expected_amount_kobo: 0 });
    Object.assign(first, { lines: [lineOf(other)], amountKobo: 582_500 });
    await fixture.reconcile();
    await reconciled();
    expect((await paidOut(fixture))[1]).to.include({
      ...{ transaction_count: 1, expected_amount_kobo: 482_500 },
    });
    passDays(10);
    await reconciled(); // nor is it missing
    const events = await ledger.rows(`select 1 from events where type = 'settlement.landed'`);
    expect(events).to.have.length(2);
  });

  it('of other business is foreign, after fees, and no discrepancy', async () => {
    const [payment] = await paid({});
    const shop = { providerPaymentId: 'shop-1', reference: 'ORDER-1' };
    fixture.payOut([
      payment,
      { ...shop, amountKobo: 100_000, feeKobo: 1_500 },
      { providerPaymentId: 'shop-2', reference: '', amountKobo: 50_000, feeKobo: null },
    ]);
    await reconciled();
    await hasPaidOut({
      ...{ status: 'landed', foreign_kobo: 148_500, foreign_count: 2, transaction_count: 1 },
      ...{ expected_amount_kobo: 631_000, gross_kobo: 500_000 },
    });
  });

  it('that a page has twice counts once, and the later one stands', async () => {
    const [payment] = await paid({});
    fixture.payOut([lineOf(payment, { amountKobo: 1 }), payment], { amountKobo: 482_500 });
    await reconciled();
  });
});
