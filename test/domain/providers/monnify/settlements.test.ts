import { createServer } from 'node:http';
import { expect } from 'chai';
import { listen } from '../../../../config/listen.ts';
import { errorOf, useNock } from '../calls.ts';
import {
  api,
  loggedIn,
  no,
  ok,
  opened,
  options,
  transaction,
  transactionReference,
} from './examples.ts';

const span = {
  from: new Date('2026-03-02T00:00:00Z'),
  to: new Date('2026-03-03T00:00:00Z'),
  cursor: null,
};
const detailCall = () =>
  api().get(
    `/api/v1/settlement-detail?transactionReference=${encodeURIComponent(transactionReference)}`,
  );

describe('Monnify, asked for a list of settlements', () => {
  useNock();

  it('has none, without being asked', async () => {
    expect(await opened().listSettlements(span, options)).to.deep.equal({
      rows: [],
      next: null,
    });
    expect(await opened().listSettlements({ ...span, cursor: '7' }, options)).to.deep.equal({
      rows: [],
      next: null,
    });
  });
});

describe("Monnify's notification of a settlement", () => {
  const { readSettlement } = opened();
  const event = (overrides: Record<string, unknown> = {}) => ({
    ...{
      amount: '1199.00',
      settlementTime: '11/11/2021 02:29:00 PM',
      settlementReference: 'JKS23DTFAP2A6E87YNUV',
    },
    ...{
      destinationAccountNumber: '6000000249',
      destinationBankName: 'Fidelity Bank',
      destinationAccountName: 'ADA STORES',
    },
    ...{ transactionsCount: 1, transactions: [transaction()], ...overrides },
  });
  const read = (overrides: Record<string, unknown> = {}) =>
    readSettlement(JSON.stringify({ eventType: 'SETTLEMENT', eventData: event(overrides) }));

  it('tells what was sent, when and where', () => {
    expect(read()).to.deep.equal({
      ...{ providerSettlementId: 'JKS23DTFAP2A6E87YNUV', state: 'landed', status: 'SETTLEMENT' },
      ...{
        amountKobo: 119_900,
        deductionsKobo: null,
        dueOn: '2021-11-11',
        landedAt: new Date('2021-11-11T13:29:00Z'),
      },
      bank: { name: 'Fidelity Bank', accountLast4: '0249' },
    });
  });

  const amounts: [amount: unknown, kobo: number | null][] = [
    ['1199.00', 119_900],
    [1199, 119_900],
    [1199.05, 119_905],
    [48_719_248.1, 4_871_924_810],
    ['0.00', 0],
    ['1,199.00', null],
    [-5, null],
    [null, null],
    [{}, null],
  ];
  for (const [amount, kobo] of amounts) {
    it(`reads ${JSON.stringify(amount)} as ${kobo === null ? 'no amount' : `${kobo} kobo`}`, () => {
      expect(read({ amount })).to.include({
        amountKobo: kobo,
        providerSettlementId: 'JKS23DTFAP2A6E87YNUV',
      });
    });
  }

  const times: [time: unknown, dueOn: string | null, landedAt: string | null][] = [
    ['11/11/2021 10:00:00 PM', '2021-11-11', '2021-11-11T21:00:00.000Z'],
    ['12/11/2021 12:15:00 AM', '2021-11-12', '2021-11-11T23:15:00.000Z'],
    ['2021-11-11 22:00:00.0', '2021-11-11', '2021-11-11T21:00:00.000Z'],
    ['2021-11-11T23:30:00.000+0000', '2021-11-12', '2021-11-11T23:30:00.000Z'],
    ['2021-11-11', '2021-11-11', null],
    ['11/11/2021 02:29:00', null, null],
    [null, null, null],
    [7, null, null],
  ];
  for (const [time, dueOn, landedAt] of times) {
    it(`reads the time ${JSON.stringify(time)}, and its day in Lagos`, () => {
      const settlement = read({ settlementTime: time })!;
      expect([settlement.dueOn, settlement.landedAt?.toISOString() ?? null]).to.deep.equal([
        dueOn,
        landedAt,
      ]);
    });
  }

  it('tells of the bank what it is told, and never more than four digits of the account', () => {
    expect(read({ destinationBankName: null })!.bank).to.deep.equal({
      name: null,
      accountLast4: '0249',
    });
    expect(read({ destinationAccountNumber: 249 })!.bank).to.deep.equal({
      name: 'Fidelity Bank',
      accountLast4: null,
    });
    expect(read({ destinationAccountNumber: 6000000249 })!.bank!.accountLast4).to.equal('0249');
    expect(read({ destinationAccountNumber: '******0249 ' })!.bank!.accountLast4).to.equal('0249');
    expect(read({ destinationBankName: ' ', destinationAccountNumber: undefined })!.bank).to.equal(
      null,
    );
  });

  it('is none where it is something else, or names none; and is never an error', () => {
    const told = (value: unknown) =>
      readSettlement(typeof value === 'string' ? value : JSON.stringify(value));
    for (const settlementReference of [null, undefined, '', 7, {}, 'two words', 'x'.repeat(201)]) {
      expect(read({ settlementReference }), String(settlementReference)).to.equal(undefined);
    }
    const others = [
      '',
      'null',
      '[]',
      '{',
      '\u0000',
      { eventType: 'SETTLEMENT' },
      { eventType: 'SETTLEMENT', eventData: [event()] },
    ];
    for (const other of [
      ...others,
      { eventType: 'SUCCESSFUL_TRANSACTION', eventData: event() },
      { eventData: event() },
    ]) {
      expect(told(other), JSON.stringify(other)).to.equal(undefined);
    }
  });
});

describe('Monnify, asked which settlement holds a payment', () => {
  useNock();
  const settlementOf = async (status: number, body: object | string) => {
    const account = loggedIn();
    detailCall().reply(status, body as object);
    return account.findSettlement(transactionReference, options);
  };
  const detail = (overrides: Record<string, unknown> = {}) =>
    ok({
      ...{
        transactionReference,
        settlementReference: 'STL-1',
        settlementDate: '2026-03-03 22:01:07.615',
      },
      ...{ settlementAmount: 4925.49, currency: 'NGN', ...overrides },
    });
  const beneficiary = (
    overrides: Record<string, unknown> = {},
    information: Record<string, unknown> = {},
  ) => ({
    ...{
      beneficiaryType: 'MERCHANT',
      beneficiaryCode: 'ALJKHDALASD',
      beneficiaryIncome: 4925,
      incurredFee: 75.01,
    },
    settlementStatus: 'SETTLED',
    settlementInformation: {
      ...{
        settledDate: '03/03/2026 10:01:07 PM',
        settlementReference: 'STL-1',
        settlementAmount: 4925.49,
        settlementFee: 0,
      },
      ...{
        destinationAccountNumber: '6000000249',
        destinationAccountName: 'ADA STORES',
        destinationBankName: 'Fidelity Bank',
      },
      ...information,
    },
    ...overrides,
  });
  const beneficiaries = (...all: unknown[]) =>
    ok({ transaction: transaction(), beneficiaries: all });

  it('names it, and no amount: the one beside it is of the payment alone', async () => {
    expect(await settlementOf(200, detail())).to.deep.equal({
      ...{
        providerSettlementId: 'STL-1',
        state: 'landed',
        status: '',
        amountKobo: null,
        deductionsKobo: null,
      },
      ...{ dueOn: '2026-03-03', landedAt: new Date('2026-03-03T21:01:07.615Z'), bank: null },
    });
  });

  it('names it in the other form, with the bank', async () => {
    expect(await settlementOf(200, beneficiaries(beneficiary()))).to.deep.equal({
      ...{
        providerSettlementId: 'STL-1',
        state: 'landed',
        status: 'SETTLED',
        amountKobo: null,
        deductionsKobo: null,
      },
      ...{
        dueOn: '2026-03-03',
        landedAt: new Date('2026-03-03T21:01:07Z'),
        bank: { name: 'Fidelity Bank', accountLast4: '0249' },
      },
    });
  });

  it('reads a date without an hour as a day, and what is no date as nothing', async () => {
    expect(await settlementOf(200, detail({ settlementDate: '2026-03-03' }))).to.include({
      dueOn: '2026-03-03',
      landedAt: null,
    });
    expect(await settlementOf(200, detail({ settlementDate: null }))).to.include({
      state: 'landed',
      dueOn: null,
      landedAt: null,
    });
  });

  const none: [what: string, status: number, body: object][] = [
    ['its 404', 404, no('There is no settlement for the supplied transaction reference yet', 99)],
    ['success with nothing to show', 200, ok(null)],
    ['no reference', 200, detail({ settlementReference: null })],
    ['an empty reference', 200, detail({ settlementReference: '' })],
    ['no beneficiary', 200, beneficiaries()],
    ['a beneficiary that waits', 200, beneficiaries(beneficiary({ settlementStatus: 'pending' }))],
    [
      'a beneficiary that is not settled',
      200,
      beneficiaries(beneficiary({ settlementStatus: 'NOT SETTLED' })),
    ],
    [
      'a beneficiary without a settlement',
      200,
      beneficiaries(beneficiary({ settlementInformation: null })),
    ],
    [
      'a beneficiary whose settlement has no name',
      200,
      beneficiaries(beneficiary({}, { settlementReference: undefined })),
    ],
    ['beneficiaries that are none', 200, beneficiaries(null, 7)],
  ];
  for (const [what, status, body] of none) {
    it(`knows of none yet with ${what}`, async () => {
      expect(await settlementOf(status, body)).to.equal(undefined);
    });
  }

  it('takes an unknown status for neither', async () => {
    expect(
      await settlementOf(200, beneficiaries(beneficiary({ settlementStatus: 'Rolled_back' }))),
    ).to.include({
      ...{ providerSettlementId: 'STL-1', state: 'unknown', status: 'ROLLED_BACK', landedAt: null },
    });
    expect(
      await settlementOf(200, beneficiaries(beneficiary({ settlementStatus: null }))),
    ).to.include({ state: 'landed' });
  });

  it('takes beneficiaries of one settlement together, and does not choose between two', async () => {
    const waiting = beneficiary({ settlementStatus: 'PENDING' }, { settlementReference: 'STL-2' });
    expect(
      await settlementOf(200, beneficiaries(waiting, beneficiary(), beneficiary())),
    ).to.include({ providerSettlementId: 'STL-1' });
    const two = beneficiaries(beneficiary(), beneficiary({}, { settlementReference: 'STL-2' }));
    expect((await errorOf(settlementOf(200, two))).kind).to.equal('unknown');
  });

  const odd: [what: string, status: number, body: object | string, kind: string][] = [
    ['another payment', 200, detail({ transactionReference: 'MNFY|1' }), 'unknown'],
    [
      'another payment in the other form',
      200,
      ok({ transaction: transaction({ transactionReference: 'MNFY|1' }), beneficiaries: [] }),
      'unknown',
    ],
    ['a no', 403, no('Forbidden'), 'refused'],
    ['a failure with nothing to show', 500, ok(null), 'unknown'],
    ['a list', 200, ok([detail()]), 'unknown'],
  ];
  for (const [what, status, body, kind] of odd) {
    it(`does not take ${what} for that`, async () => {
      expect(await errorOf(settlementOf(status, body))).to.include({ kind, stage: 'settlement' });
    });
  }
});

describe('Monnify, asked which settlement holds a payment, and how', () => {
  it('is told the reference with its bars encoded: it refuses others', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url!);
      response.end(JSON.stringify(ok({ accessToken: 'token-1', expiresIn: 3600 })));
    });
    await using listening = await listen(server, 0, '127.0.0.1');
    expect(
      await opened(undefined, `http://127.0.0.1:${listening.port}`).findSettlement(
        'MNFY|1|2',
        options,
      ),
    ).to.equal(undefined);
    expect(seen[1]).to.equal('/api/v1/settlement-detail?transactionReference=MNFY%7C1%7C2');
    server.closeAllConnections();
  });
});
