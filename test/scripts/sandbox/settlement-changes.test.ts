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
  describe(`sandbox: odd settlements at ${provider}`, () => {
    it('states what its lines add up to, and names itself as the provider does', async () => {
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

    it('leaves out every payment of a charge given by its number', async () => {
      await using merchant = await open();
      const [left, taken] = [await merchant.sale(), await merchant.sale()];
      const settled = await settle(merchant, { leave_out: [left.replace(/-[^-]+$/, '')] });
      expect(await merchant.lines(settled.provider_settlement_id)).to.have.all.keys(taken);
    });

    for (const offKobo of [700, -700]) {
      it(`states ${offKobo} kobo more than was paid on a line, and pays out the difference`, async () => {
        await using merchant = await open();
        const [odd, even] = [await merchant.sale(), await merchant.sale()];
        const verified = (await merchant.verified(odd))!;
        const settled = await settle(merchant, {
          amount_off_kobo: [{ reference: odd, kobo: offKobo }],
        });
        const lines = await merchant.lines(settled.provider_settlement_id);
        expect(lines[odd]).to.deep.equal({ ...verified, amountKobo: 500_000 + offKobo });
        expect(lines[even]).to.deep.equal(verified);
        expect((await merchant.payouts())[0]!.amountKobo).to.equal(sumOf(lines));
        expect(settled).to.include({ gross_kobo: 1_000_000 + offKobo, landed_kobo: sumOf(lines) });
        expect(await merchant.verified(odd)).to.deep.equal(verified);
      });

      it(`states a fee of ${offKobo} kobo more than verify on a line, and pays out so much less`, async () => {
        await using merchant = await open();
        const odd = await merchant.sale(1_500_000);
        const verified = (await merchant.verified(odd))!;
        const settled = await settle(merchant, {
          fee_off_kobo: [{ reference: odd, kobo: offKobo }],
        });
        const lines = await merchant.lines(settled.provider_settlement_id);
        expect(lines[odd]).to.deep.equal({ ...verified, feeKobo: verified.feeKobo + offKobo });
        expect((await merchant.payouts())[0]!.amountKobo).to.equal(
          1_500_000 - verified.feeKobo - offKobo,
        );
        expect(settled.fee_kobo).to.equal(verified.feeKobo + offKobo);
        expect(await merchant.verified(odd)).to.deep.equal(verified);
      });
    }

    it('pays out payments of the merchant’s other business with ours, and knows them like any other', async () => {
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

    it('pays out foreign money alone when the account is named', async () => {
      await using merchant = await open();
      const foreign = [{ reference: 'INV-1', amount_kobo: 300_000 }];
      expect(
        (await merchant.fixture.control('POST', '/settle', { foreign })).body.data,
      ).to.deep.equal([]);
      const settled = await settle(merchant, { foreign, account_id: merchant.fixture.accountId });
      expect(await merchant.lines(settled.provider_settlement_id)).to.have.all.keys('INV-1');
    });

    it('holds money back for no reason, as far as there is any', async () => {
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

    it('does all of it at once', async () => {
      await using merchant = await open();
      const [a, b, c] = [await merchant.sale(), await merchant.sale(), await merchant.sale()];
      const fields = {
        provider,
        leave_out: [a],
        amount_off_kobo: [{ reference: b, kobo: 100 }],
        fee_off_kobo: [
          { reference: b, kobo: 10 },
          { reference: c, kobo: -5 },
        ],
        foreign: [{ amount_kobo: 20_000 }],
        deduct_kobo: 3_000,
        short_by_kobo: 7,
        at: '2026-03-05T22:00:00Z',
      };
      const settled = await settle(merchant, fields);
      const lines = await merchant.lines(settled.provider_settlement_id);
      expect(Object.keys(lines)).to.have.length(3);
      expect(settled).to.include({
        created_at: '2026-03-05T22:00:00.000Z',
        landed_at: '2026-03-05T22:00:00.000Z',
      });
      expect(settled.landed_kobo).to.equal(sumOf(lines) - 3_007);
      expect((await merchant.payouts())[0]!.amountKobo).to.equal(settled.landed_kobo);
    });

    for (const [fields, status, complaint] of [
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
        expect(reply).to.deep.include({ status, body: { error: complaint } });
        expect(await settle(merchant)).to.include({ line_count: 1 });
      });
    }

    it('refuses payments that wait for no payout, lines worth nothing and references used already', async () => {
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
