import { expect } from 'chai';
import { readSettlement } from '../../../../domain/providers/monnify/settlements.ts';
import { expectErrors, type Reply } from '../calls.ts';
import { accountAt, no, ok, options, transaction, transactionReference } from './examples.ts';

const bank = { name: 'Fidelity Bank', accountLast4: '0249' };

describe("Monnify's notification of a settlement", () => {
  const event = (overrides: Record<string, unknown> = {}) => ({
    ...{ settlementReference: 'JKS23DTFAP2A6E87YNUV', amount: '1199.00' },
    ...{ settlementTime: '11/11/2021 02:29:00 PM', destinationBankName: 'Fidelity Bank' },
    ...{ destinationAccountNumber: '6000000249', destinationAccountName: 'ADA STORES' },
    ...{ transactionsCount: 1, transactions: [transaction()], ...overrides },
  });
  const read = (overrides: Record<string, unknown> = {}) =>
    readSettlement(JSON.stringify({ eventType: 'SETTLEMENT', eventData: event(overrides) }));

  it('states what was sent, when and where', () => {
    expect(read()).to.deep.equal({
      ...{ providerSettlementId: 'JKS23DTFAP2A6E87YNUV', state: 'landed', status: 'SETTLEMENT' },
      ...{ amountKobo: 119_900, deductionsKobo: null, dueOn: '2021-11-11', bank },
      landedAt: new Date('2021-11-11T13:29:00Z'),
    });
  });

  it('has an amount to the kobo, or none that can be read', () => {
    const amounts: [amount: unknown, kobo: number | null][] = [
      ['1199.00', 119_900],
      [1199, 119_900],
      [1199.05, 119_905],
      [48_719_248.1, 4_871_924_810],
      ['0.00', 0],
      ...['1,199.00', -5, null, {}].map((amount): [unknown, null] => [amount, null]),
    ];
    for (const [amount, amountKobo] of amounts)
      expect(read({ amount }), `${amount}`).to.include({ amountKobo });
  });

  it('has a time, and its day in Lagos', () => {
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
    for (const [settlementTime, dueOn, landedAt] of times) {
      const settlement = read({ settlementTime })!;
      const time = settlement.landedAt?.toISOString() ?? null;
      expect([settlement.dueOn, time], `${settlementTime}`).to.deep.equal([dueOn, landedAt]);
    }
  });

  it('keeps the last four digits of the account at most', () => {
    const accounts: [fields: Record<string, unknown>, expected: object | null][] = [
      [{ destinationBankName: null }, { ...bank, name: null }],
      [{ destinationAccountNumber: 249 }, { ...bank, accountLast4: null }],
      [{ destinationAccountNumber: 6000000249 }, bank],
      [{ destinationAccountNumber: '******0249 ' }, bank],
      [{ destinationBankName: ' ', destinationAccountNumber: undefined }, null],
    ];
    for (const [fields, expected] of accounts)
      expect(read(fields)!.bank, JSON.stringify(fields)).to.deep.equal(expected);
  });

  it('is undefined, never an error, where it is another event or has no reference', () => {
    for (const settlementReference of [null, undefined, '', 7, {}, 'two words', 'x'.repeat(201)])
      expect(read({ settlementReference }), String(settlementReference)).to.equal(undefined);
    const others = [
      { eventType: 'SETTLEMENT' },
      { eventType: 'SETTLEMENT', eventData: [event()] },
      { eventType: 'SUCCESSFUL_TRANSACTION', eventData: event() },
      { eventData: event() },
    ];
    const odd = ['', 'null', '[]', '{', '\u0000'];
    for (const body of [...odd, ...others.map((each) => JSON.stringify(each))])
      expect(readSettlement(body), body).to.equal(undefined);
  });
});

describe('Finding the settlement of a payment at Monnify', () => {
  const findWith = (...reply: Reply) =>
    accountAt(reply).account.findSettlement(transactionReference, options);
  const detail = (overrides: Record<string, unknown> = {}) =>
    ok({
      ...{ transactionReference, settlementReference: 'STL-1', settlementAmount: 4925.49 },
      ...{ settlementDate: '2026-03-03 22:01:07.615', currency: 'NGN', ...overrides },
    });
  const beneficiary = (
    overrides: Record<string, unknown> = {},
    information: Record<string, unknown> = {},
  ) => ({
    ...{ beneficiaryType: 'MERCHANT', beneficiaryIncome: 4925, settlementStatus: 'SETTLED' },
    settlementInformation: {
      ...{ settledDate: '03/03/2026 10:01:07 PM', settlementReference: 'STL-1' },
      ...{ settlementAmount: 4925.49, destinationAccountNumber: '6000000249' },
      ...{ destinationBankName: 'Fidelity Bank', ...information },
    },
    ...overrides,
  });
  const beneficiaries = (...all: unknown[]) =>
    ok({ transaction: transaction(), beneficiaries: all });

  it('asks with the encoded reference: Monnify refuses bars', async () => {
    const { account, requests } = accountAt([200, ok(null)]);
    await account.findSettlement('MNFY|1|2', options);
    expect(requests).to.deep.equal([
      'GET /api/v1/settlement-detail?transactionReference=MNFY%7C1%7C2',
    ]);
  });

  it('reads both documented forms, without the amount of the one payment', async () => {
    const landed = {
      ...{ providerSettlementId: 'STL-1', state: 'landed', amountKobo: null, deductionsKobo: null },
      dueOn: '2026-03-03',
    };
    expect(await findWith(200, detail())).to.deep.equal({
      ...{ ...landed, status: '', landedAt: new Date('2026-03-03T21:01:07.615Z'), bank: null },
    });
    expect(await findWith(200, beneficiaries(beneficiary()))).to.deep.equal({
      ...{ ...landed, status: 'SETTLED', landedAt: new Date('2026-03-03T21:01:07Z'), bank },
    });
    const dates: [settlementDate: unknown, dueOn: string | null][] = [
      ['2026-03-03', '2026-03-03'],
      [null, null],
    ];
    for (const [settlementDate, dueOn] of dates)
      expect(await findWith(200, detail({ settlementDate }))).to.include({
        ...{ state: 'landed', dueOn, landedAt: null },
      });
  });

  it('finds none while no settlement holds the payment', async () => {
    const none: Reply[] = [
      [404, no('There is no settlement for the supplied transaction reference yet', 99)],
      [200, ok(null)],
      [200, detail({ settlementReference: null })],
      [200, detail({ settlementReference: '' })],
      [200, beneficiaries()],
      [200, beneficiaries(beneficiary({ settlementStatus: 'pending' }))],
      [200, beneficiaries(beneficiary({ settlementStatus: 'NOT SETTLED' }))],
      [200, beneficiaries(beneficiary({ settlementInformation: null }))],
      [200, beneficiaries(beneficiary({}, { settlementReference: undefined }))],
      [200, beneficiaries(null, 7)],
    ];
    for (const reply of none)
      expect(await findWith(...reply), JSON.stringify(reply)).to.equal(undefined);
  });

  it('is in an unknown state with a status that is not listed', async () => {
    const odd = beneficiary({ settlementStatus: 'Rolled_back' });
    expect(await findWith(200, beneficiaries(odd))).to.include({
      ...{ providerSettlementId: 'STL-1', state: 'unknown', status: 'ROLLED_BACK', landedAt: null },
    });
    const unstated = beneficiary({ settlementStatus: null });
    expect(await findWith(200, beneficiaries(unstated))).to.include({ state: 'landed' });
  });

  it('joins beneficiaries of one settlement, and finds none with two settlements', async () => {
    const other = { settlementReference: 'STL-2' };
    const waiting = beneficiary({ settlementStatus: 'PENDING' }, other);
    expect(await findWith(200, beneficiaries(waiting, beneficiary(), beneficiary()))).to.include({
      providerSettlementId: 'STL-1',
    });
    const two = beneficiaries(beneficiary(), beneficiary({}, other));
    expect(await findWith(200, two)).to.equal(undefined);
  });

  it('fails after any other answer', async () => {
    const foreign = transaction({ transactionReference: 'MNFY|1' });
    const others: [reply: Reply, kind: string][] = [
      [[200, detail({ transactionReference: 'MNFY|1' })], 'unknown'],
      [[200, ok({ transaction: foreign, beneficiaries: [] })], 'unknown'],
      [[200, ok([detail()])], 'unknown'],
      [[403, no('Forbidden')], 'refused'],
      [[500, ok(null)], 'unknown'],
    ];
    await expectErrors('find settlement', others, (reply) => findWith(...reply));
  });
});
