import { expect } from 'chai';
import { errorOf, useNock } from '../calls.ts';
import { account, api, bad, listed, options, reference, row } from './examples.ts';

const span = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-02T23:59:59Z') };
const listCall = (page = 1) =>
  api().get('/transactions').query({ from: '2026-03-01', to: '2026-03-03', page });
const list = (cursor: string | null = null) => account.listPayments({ ...span, cursor }, options);
const idsOf = async (cursor: string | null) =>
  (await list(cursor)).rows.map(({ providerPaymentId: id }) => id);

describe('Flutterwave, asked for the payments of a time', () => {
  useNock();

  it('states each as a capture', async () => {
    listCall().reply(
      200,
      listed([
        row({ amount: 5000.5, charged_amount: 5000.5, app_fee: 70.01, amount_settled: 4925.24 }),
      ]),
    );
    const createdAt = new Date('2026-03-02T09:14:24Z');
    expect(await list()).to.deep.equal({
      rows: [
        {
          ...{
            providerPaymentId: '288200108',
            reference,
            amountKobo: 500_050,
            feeKobo: 7_526,
            currency: 'NGN',
            channel: 'card',
          },
          ...{ mode: null, createdAt, capturedAt: createdAt },
        },
      ],
      next: null,
    });
  });

  it('gives those that were paid alone', async () => {
    const statuses = ['successful', 'failed', 'pending', 'cancelled', 'odd', 'SUCCESSFUL'];
    listCall().reply(200, listed(statuses.map((status, index) => row({ id: index + 1, status }))));
    expect(await idsOf(null)).to.deep.equal(['1', '6']);
  });

  it('keeps every digit of an id', async () => {
    listCall().reply(
      200,
      JSON.stringify(listed([{ ...row(), id: '@' }])).replace('"@"', '18446744073709551615'),
    );
    expect(await idsOf(null)).to.deep.equal(['18446744073709551615']);
  });

  it('gives them page by page, through pages where nobody paid', async () => {
    listCall(1).reply(200, listed([row({ id: 3 })], 3));
    const first = await list();
    listCall(2).reply(200, listed([row({ id: 2, status: 'failed' })], 3));
    const second = await list(first.next);
    expect(second.rows).to.deep.equal([]);
    listCall(3).reply(200, listed([row({ id: 1 })], 3));
    expect(await list(second.next)).to.have.property('next', null);
  });

  it('has none where there are none', async () => {
    listCall().reply(200, listed([], 0));
    expect(await idsOf(null)).to.deep.equal([]);
    listCall().reply(400, bad('No transaction was found'));
    expect(await idsOf(null)).to.deep.equal([]);
  });

  const failures: [what: string, status: number, body: object | string, kind: string][] = [
    ['a wrong path', 404, bad('Resource not found'), 'refused'],
    ['no list', 200, { ...listed([]), data: {} }, 'unknown'],
    ['a row without an id', 200, listed([{ ...row(), id: null }]), 'unknown'],
    ['a payment that does not say how much', 200, listed([row({ amount: 'much' })]), 'unknown'],
    ['an empty page of several', 200, listed([], 2), 'unknown'],
    ['half an answer', 200, JSON.stringify(listed([row()])).slice(0, -2), 'unknown'],
  ];
  for (const [what, status, body, kind] of failures) {
    it(`fails as ${kind} with ${what}`, async () => {
      listCall().reply(status, body as object);
      expect(await errorOf(list())).to.include({ kind, stage: 'list payments' });
    });
  }
});
