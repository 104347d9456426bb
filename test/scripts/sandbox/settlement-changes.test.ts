import { expect } from 'chai';
import type { Json } from './json.ts';
import { type Merchant, merchants } from './merchants.ts';

async function settle({ fixture }: Merchant, fields: object = {}): Promise<Json> {
  const { status, body } = await fixture.control('POST', '/settle', fields);
  expect(status, JSON.stringify(body)).to.equal(200);
  expect(body.data).to.have.length(1);
  return body.data[0];
}

const sumOf = (lines: Record<string, { amountKobo: number; feeKobo: number }>) =>
  Object.values(lines).reduce((sum, { amountKobo, feeKobo }) => sum + amountKobo - feeKobo, 0);

for (const [provider, open] of Object.entries(merchants)) {
  describe(`sandbox: changed settlements at ${provider}`, () => {
    it('has the totals of its lines and the id of the provider', async () => {
      await using merchant = await open();
      const reference = await merchant.sale(1_500_000);
      const settled = await settle(merchant);
      const [payout] = await merchant.payouts();
      const verified = (await merchant.verified(reference))!;
      expect(payout!.id).to.equal(settled.provider_settlement_id);
      expect(settled).to.include({
        provider,
        account_id: merchant.fixture.accountId,
        status: 'landed',
        line_count: 1,
        deductions_kobo: 0,
      });
      expect(settled).to.include({
        gross_kobo: 1_500_000,
        fee_kobo: verified.feeKobo,
        landed_kobo: 1_500_000 - verified.feeKobo,
      });
      expect(payout!.amountKobo).to.equal(settled.landed_kobo);
      expect(await merchant.lines(payout!.id)).to.deep.equal({ [reference]: verified });
    });

    it('leaves a payment out of one payout, and takes it into the next', async () => {
      await using merchant = await open();
      const [left, taken] = [await merchant.sale(), await merchant.sale()];
      const first = await settle(merchant, { leave_out: [left] });
      expect(await merchant.lines(first.provider_settlement_id)).to.have.all.keys(taken);
      expect(
        (await merchant.fixture.control('POST', '/settle', { leave_out: [left] })).body.data,
      ).to.deep.equal([]);
      const second = await settle(merchant);
      expect(await merchant.lines(second.provider_settlement_id)).to.have.all.keys(left);
    });

    it('pays out payments of the merchant’s other business with ours, and shows them like any other', async () => {
      await using merchant = await open();
      const reference = await merchant.sale();
      const foreign = [{ reference: 'INV-2041', amount_kobo: 300_000 }, { amount_kobo: 12_345 }];
      const settled = await settle(merchant, { foreign });
      const lines = await merchant.lines(settled.provider_settlement_id);
      const unnamed = Object.keys(lines).find((name) => name !== reference && name !== 'INV-2041')!;
      expect(unnamed).to.match(/^INV-\d+$/);
      expect(lines['INV-2041']!.amountKobo).to.equal(300_000);
      expect(lines[unnamed]!.amountKobo).to.equal(12_345);
      expect(settled).to.include({ line_count: 3, gross_kobo: 812_345, landed_kobo: sumOf(lines) });
      expect(await merchant.verified('INV-2041')).to.deep.equal(lines['INV-2041']);
      expect(await merchant.listed('2026-03-02', '2026-03-02')).to.have.members([
        reference,
        'INV-2041',
        unnamed,
      ]);
    });

    it('deducts money without a reason, up to what there is', async () => {
      await using merchant = await open();
      const reference = await merchant.sale();
      const settled = await settle(merchant, { deduct_kobo: 40_000, short_by_kobo: 500 });
      const netKobo = sumOf(await merchant.lines(settled.provider_settlement_id));
      expect(settled).to.include({ deductions_kobo: 40_000, landed_kobo: netKobo - 40_500 });
      expect((await merchant.payouts())[0]!.amountKobo).to.equal(netKobo - 40_500);
      expect(await merchant.verified(reference)).to.include({ amountKobo: 500_000 });
      await merchant.sale(20_000);
      const bare = await settle(merchant, { deduct_kobo: 40_000 });
      expect(bare).to.include({ deductions_kobo: 20_000 - bare.fee_kobo, landed_kobo: 0 });
    });

    for (const [fields, status, problem] of [
      [{ leave_out: ['SV-1-nosuch00'] }, 404, 'leave_out.0: no payment of reference SV-1-nosuch00'],
      [
        { amount_off_kobo: [{ reference: 'SV-1-nosuch00', kobo: 1 }] },
        404,
        'amount_off_kobo.0: no payment of reference SV-1-nosuch00',
      ],
      [
        { foreign: [{ reference: 'SV-1-abcdefgh', amount_kobo: 1 }] },
        400,
        'foreign.0.reference must not be of the form SV-<n>-<8 characters>',
      ],
      [{ account_id: 1 }, 404, 'account_id 1 is no account here'],
    ] as const) {
      it(`answers ${status} to ${JSON.stringify(fields)} and pays nothing out`, async () => {
        await using merchant = await open();
        await merchant.sale();
        const reply = await merchant.fixture.control('POST', '/settle', fields);
        expect(reply).to.deep.include({ status, body: { error: problem } });
        expect(await settle(merchant)).to.include({ line_count: 1 });
      });
    }

    it('refuses payments that wait for no payout, lines worth nothing and used references', async () => {
      await using merchant = await open();
      const settled = await merchant.sale();
      await settle(merchant);
      const waiting = await merchant.sale();
      const errorOf = async (fields: object) =>
        (await merchant.fixture.control('POST', '/settle', fields)).body.error;
      expect(await errorOf({ leave_out: [settled] })).to.equal(
        `leave_out.0: reference ${settled} waits for no payout here`,
      );
      expect(await errorOf({ fee_off_kobo: [{ reference: settled, kobo: 1 }] })).to.match(
        /^fee_off_kobo\.0: .* waits for no payout here$/,
      );
      expect(
        await errorOf({ leave_out: [waiting], amount_off_kobo: [{ reference: waiting, kobo: 1 }] }),
      ).to.match(/is left out$/);
      expect(await errorOf({ amount_off_kobo: [{ reference: waiting, kobo: -500_000 }] })).to.match(
        /^amount_off_kobo\.0\.kobo /,
      );
      expect(await errorOf({ fee_off_kobo: [{ reference: waiting, kobo: -500_000 }] })).to.match(
        /^fee_off_kobo\.0\.kobo /,
      );
      expect(
        await errorOf({
          foreign: [
            { reference: 'INV-1', amount_kobo: 1 },
            { reference: 'INV-1', amount_kobo: 1 },
          ],
        }),
      ).to.match(/^foreign\.1: /);
      await settle(merchant, { foreign: [{ reference: 'INV-1', amount_kobo: 100 }] });
      await merchant.sale();
      expect(await errorOf({ foreign: [{ reference: 'INV-1', amount_kobo: 100 }] })).to.equal(
        'foreign.0: reference INV-1 is used already',
      );
    });
  });
}
