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
  });
}

describe('sandbox: changes that no payout can have', () => {
  it('are refused, and nothing is paid out', async () => {
    await using merchant = await merchants.paystack();
    const settled = await merchant.sale();
    await settle(merchant, { foreign: [{ reference: 'INV-1', amount_kobo: 100 }] });
    const waiting = await merchant.sale();
    const nosuch = 'SV-1-nosuch00';
    const invoice = { reference: 'INV-2', amount_kobo: 1 };
    const rows: [fields: object, status: number, problem: string][] = [
      [{ leave_out: [nosuch] }, 404, `leave_out.0: no payment of reference ${nosuch}`],
      [
        { amount_off_kobo: [{ reference: nosuch, kobo: 1 }] },
        ...([404, `amount_off_kobo.0: no payment of reference ${nosuch}`] as [number, string]),
      ],
      [
        { foreign: [{ reference: 'SV-1-abcdefgh', amount_kobo: 1 }] },
        ...([400, 'foreign.0.reference must not be of the form SV-'] as [number, string]),
      ],
      [{ account_id: 1 }, 404, 'account_id 1 is no account here'],
      [{ leave_out: [settled] }, 409, `leave_out.0: reference ${settled} waits for no payout here`],
      [{ fee_off_kobo: [{ reference: settled, kobo: 1 }] }, 409, 'fee_off_kobo.0: '],
      [
        { leave_out: [waiting], amount_off_kobo: [{ reference: waiting, kobo: 1 }] },
        ...([400, `amount_off_kobo.0: reference ${waiting} is left out`] as [number, string]),
      ],
      [
        { amount_off_kobo: [{ reference: waiting, kobo: -500_000 }] },
        400,
        'amount_off_kobo.0.kobo',
      ],
      [{ fee_off_kobo: [{ reference: waiting, kobo: -500_000 }] }, 400, 'fee_off_kobo.0.kobo '],
      [{ foreign: [invoice, invoice] }, 409, 'foreign.1: '],
      [
        { foreign: [{ ...invoice, reference: 'INV-1' }] },
        ...([409, 'foreign.0: reference INV-1 is used already'] as [number, string]),
      ],
    ];
    for (const [fields, status, problem] of rows) {
      const reply = await merchant.fixture.control('POST', '/settle', fields);
      expect(reply.body.error, JSON.stringify(fields)).to.include(problem);
      expect(reply.status, problem).to.equal(status);
    }
    expect(await settle(merchant)).to.include({ line_count: 1 });
  });
});
