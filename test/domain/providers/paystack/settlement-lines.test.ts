import { expect } from 'chai';
import { errorOf, onTheWire } from '../wire.ts';
import { account, api, listed, options, reference, transaction } from './given.ts';

const linesCall = () =>
  api().get('/settlement/3090024/transactions').query({ perPage: '100', page: '1' });
const lines = () => account.listLines({ providerSettlementId: '3090024', cursor: null }, options);

async function lineAs(overrides: Record<string, unknown>) {
  linesCall().reply(200, listed([transaction(overrides)]));
  return (await lines()).rows[0]!;
}

describe('Paystack, asked for the payments of a settlement', () => {
  onTheWire();

  it('states each by its id, reference, amount and fee', async () => {
    expect(await lineAs({})).to.deep.equal({
      providerPaymentId: '4099260516',
      reference,
      amountKobo: 500_000,
      feeKobo: 17_500,
    });
  });

  it('is asked with the id encoded', async () => {
    api().get('/settlement/a%2Fb/transactions').query(true).reply(200, listed([]));
    expect(
      (await account.listLines({ providerSettlementId: 'a/b', cursor: null }, options)).rows,
    ).to.deep.equal([]);
  });

  for (const status of ['success', 'reversed', 'reversal pending', 'disputed', null]) {
    it(`counts what is in it, whatever became of it since: ${status}`, async () => {
      expect(await lineAs({ status })).to.include({ amountKobo: 500_000, feeKobo: 17_500 });
    });
  }

  it("counts the merchant's other payments, with a reference of theirs or with none", async () => {
    expect(await lineAs({ reference: 'T685312322670591' })).to.include({
      reference: 'T685312322670591',
    });
    expect(await lineAs({ reference: null })).to.include({ reference: '' });
  });

  const amounts: [
    what: string,
    overrides: Record<string, unknown>,
    amountKobo: number,
    feeKobo: number | null,
  ][] = [
    [
      'a fee the payer bore is in neither',
      { amount: 40_333, fees: 10_283, requested_amount: 30_050 },
      30_050,
      0,
    ],
    [
      'what was paid short is less',
      { amount: 300_000, fees: 14_500, requested_amount: 500_000 },
      300_000,
      14_500,
    ],
    ['a fee may not be stated', { fees: null }, 500_000, null],
    ['nor may what was asked', { requested_amount: undefined }, 500_000, 17_500],
    [
      'digits are read',
      { amount: '500000', fees: '17500', requested_amount: '500000' },
      500_000,
      17_500,
    ],
  ];
  for (const [what, overrides, amountKobo, feeKobo] of amounts) {
    it(`reads a line as it reads a capture: ${what}`, async () => {
      expect(await lineAs(overrides)).to.include({ amountKobo, feeKobo });
    });
  }

  for (const overrides of [
    { amount: null },
    { amount: '5000.50' },
    { amount: -1 },
    { fees: 'some' },
    { currency: 'USD' },
  ]) {
    it(`guesses at no line: ${JSON.stringify(overrides)}`, async () => {
      expect(await errorOf(lineAs(overrides))).to.include({
        kind: 'unknown',
        stage: 'settlement lines',
      });
    });
  }
});
