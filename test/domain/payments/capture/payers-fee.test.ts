import { expect } from 'chai';
import { withoutPayersFee } from '../../../../domain/payments/capture/capture.ts';

/** A payment of a charge of ₦20.00, in kobo; null: not stated. */
type Row = [
  what: string,
  stated: { paid: number; payable: number | null; fee: number | null },
  counted: ReturnType<typeof own>,
];

const own = (amountKobo: number, feeKobo: number) => ({ amountKobo, payerFeeKobo: 0, feeKobo });
const borne = (amountKobo: number, feeKobo = 0, payerFeeKobo = 32) => ({
  ...{ amountKobo, payerFeeKobo, feeKobo },
});

const rows: Row[] = [
  ['the merchant bore the fee', { paid: 2_000, payable: 2_000, fee: 32 }, own(2_000, 32)],
  ['the payer bore the fee', { paid: 2_032, payable: 2_032, fee: 32 }, borne(2_000)],
  ['its fee is not stated yet', { paid: 2_032, payable: 2_032, fee: null }, borne(2_000)],
  ['its fee is rounded', { paid: 2_032, payable: 2_032, fee: 31 }, borne(2_000)],
  ['both bore a part', { paid: 2_032, payable: 2_032, fee: 42 }, borne(2_000, 10)],
  ['the payer paid too much besides', { paid: 2_532, payable: 2_032, fee: 32 }, borne(2_500)],
  ['the payer paid too little', { paid: 2_010, payable: 2_032, fee: 32 }, borne(1_978)],
  ['as much as the fee was paid', { paid: 32, payable: 2_032, fee: 32 }, own(32, 32)],
  ['less than the fee was paid', { paid: 20, payable: 2_032, fee: 20 }, own(20, 20)],
  ['the excess is paid out', { paid: 2_500, payable: 2_500, fee: 32 }, own(2_500, 32)],
  ['only a little of it is paid out', { paid: 2_034, payable: 2_034, fee: 32 }, own(2_034, 32)],
  ['the fee is a kobo', { paid: 2_001, payable: 2_001, fee: 1 }, borne(2_000, 0, 1)],
  ['less was asked for', { paid: 2_000, payable: 1_900, fee: 32 }, own(2_000, 32)],
  ['what was asked is not stated', { paid: 2_032, payable: null, fee: 32 }, own(2_032, 32)],
];

describe('A payment whose provider does not say who bore the fee', () => {
  for (const [what, { paid, payable, fee }, counted] of rows) {
    it(`is counted for its charge: ${what}`, () => {
      const asked = payable !== null && { payableKobo: payable };
      const stated = { amountKobo: paid, feeKobo: fee, ...asked };
      expect({ payerFeeKobo: 0, ...withoutPayersFee(stated, 2_000) }).to.deep.equal(counted);
    });
  }

  it('keeps what its provider states by itself', () => {
    const stated = { amountKobo: 2_000, payerFeeKobo: 32, feeKobo: 0 };
    expect(withoutPayersFee(stated, 2_000)).to.deep.equal(stated);
  });
});
