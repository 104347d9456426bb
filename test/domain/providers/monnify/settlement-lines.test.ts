import { expect } from 'chai';
import type { Provider } from '../../../../domain/providers/provider.ts';
import { errorOf, useNock } from '../calls.ts';
import {
  api,
  loggedIn,
  loginCall,
  no,
  ok,
  opened,
  options,
  reference,
  springPage,
  transaction,
  transactionReference,
} from './examples.ts';

const linesCall = (page: number) =>
  api().get(
    `/api/v1/transactions/find-by-settlement-reference?reference=STL%7C1+%2F&page=${page}&size=100`,
  );
const linesOf = (account: Provider, cursor: string | null = null) =>
  account.listLines({ providerSettlementId: 'STL|1 /', cursor }, options);

describe('Monnify, asked for the payments of a settlement', () => {
  useNock();
  const lineAs = async (overrides: Record<string, unknown>) => {
    const account = loggedIn();
    linesCall(0).reply(200, springPage([transaction(overrides)]));
    return (await linesOf(account)).rows[0]!;
  };

  it('states each by its id, reference, amount and fee', async () => {
    expect(await lineAs({})).to.deep.equal({
      ...{
        providerPaymentId: transactionReference,
        reference,
        amountKobo: 500_050,
        feeKobo: 7_501,
      },
    });
  });

  it('is walked page by page, one call each, with one login', async () => {
    const account = loggedIn();
    linesCall(0).reply(200, springPage([transaction(), transaction()], false));
    const first = await linesOf(account);
    expect([first.rows.length, first.next]).to.deep.equal([2, '1']);
    linesCall(1).reply(200, springPage([transaction()], true));
    const second = await linesOf(account, first.next);
    expect([second.rows.length, second.next]).to.deep.equal([1, null]);
  });

  it('ends with an empty page where no page says it is the last', async () => {
    const account = loggedIn();
    linesCall(0).reply(200, springPage([transaction()], null));
    expect((await linesOf(account)).next).to.equal('1');
    linesCall(1).reply(200, springPage([], false));
    expect(await linesOf(account, '1')).to.deep.equal({ rows: [], next: null });
  });

  it('is not begun again by a cursor that is none', async () => {
    for (const cursor of ['', '0', '-1', '1.5', 'last']) {
      expect(await errorOf(linesOf(opened(), cursor)), cursor).to.include({
        kind: 'unknown',
        stage: 'settlement lines',
      });
    }
  });

  const amounts: [
    what: string,
    overrides: Record<string, unknown>,
    amountKobo: number,
    feeKobo: number | null,
  ][] = [
    ['numbers', { amountPaid: 5000.5, settlementAmount: 4925.49 }, 500_050, 7_501],
    ['a settlement reckoned to parts of a kobo', { settlementAmount: '4925.494' }, 500_050, 7_501],
    ['no fee', { settlementAmount: '5000.50' }, 500_050, 0],
    [
      'one sent back, of which nothing is left to settle',
      { paymentStatus: 'REVERSED', settlementAmount: '0.00' },
      500_050,
      null,
    ],
    ['one sent back that keeps its settlement', { paymentStatus: 'REVERSED' }, 500_050, 7_501],
    ['a settlement that is not stated', { settlementAmount: null }, 500_050, null],
    ['a settlement above the payment', { settlementAmount: '5000.51' }, 500_050, null],
    [
      'one of too little',
      { paymentStatus: 'PARTIALLY_PAID', amountPaid: '100.00', settlementAmount: '98.50' },
      10_000,
      150,
    ],
    ['an unknown status', { paymentStatus: 'CHARGED_BACK' }, 500_050, 7_501],
  ];
  for (const [what, overrides, amountKobo, feeKobo] of amounts) {
    it(`reads ${what}`, async () => {
      expect(await lineAs(overrides)).to.include({ amountKobo, feeKobo });
    });
  }

  it("counts the merchant's other payments, with a reference of theirs or with none", async () => {
    expect(await lineAs({ paymentReference: '1568577644707' })).to.include({
      reference: '1568577644707',
    });
    expect(await lineAs({ paymentReference: null })).to.include({ reference: '' });
  });

  const odd: [what: string, status: number, body: object | string, kind: string][] = [
    ['a wrong reference', 404, no('Settlement not found'), 'refused'],
    [
      'an accident',
      400,
      no('There was an error processing the request, Please try again later...'),
      'unknown',
    ],
    ['no list', 200, ok({ last: true }), 'unknown'],
    ['nothing to show', 200, ok(null), 'unknown'],
    ['a list of something else', 200, springPage(['x']), 'unknown'],
    [
      'a line without an id',
      200,
      springPage([transaction({ transactionReference: null })]),
      'unknown',
    ],
    ['a line without an amount', 200, springPage([transaction({ amountPaid: null })]), 'unknown'],
    ['a line of nothing', 200, springPage([transaction({ amountPaid: '0.00' })]), 'unknown'],
    [
      'a line of parts of a kobo',
      200,
      springPage([transaction({ amountPaid: '100.005' })]),
      'unknown',
    ],
    ['a line in another currency', 200, springPage([transaction({ currency: 'USD' })]), 'unknown'],
  ];
  for (const [what, status, body, kind] of odd) {
    it(`never takes ${what} for none`, async () => {
      const account = loggedIn();
      linesCall(0).reply(status, body as object);
      expect(await errorOf(linesOf(account))).to.include({ kind, stage: 'settlement lines' });
    });
  }

  it('logs in anew after a 401, once', async () => {
    const account = loggedIn();
    linesCall(0).reply(401, no('Access token expired'));
    loginCall().reply(200, ok({ accessToken: 'token-2', expiresIn: 3600 }));
    api('token-2')
      .get(/find-by-settlement-reference/)
      .reply(401, no('Access token expired'));
    expect(await errorOf(linesOf(account))).to.include({
      kind: 'refused',
      stage: 'settlement lines',
    });
  });
});
