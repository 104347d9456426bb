import { expect } from 'chai';
import nock from 'nock';
import { errorOf, useNock } from '../calls.ts';
import { account, api, bad, listed, options } from './examples.ts';

const span = { from: new Date('2026-03-04T00:00:00Z'), to: new Date('2026-03-05T12:00:00Z') };

/** From four days before to one day after. */
const listCall = (page = 1) =>
  api().get('/settlements').query({ from: '2026-02-28', to: '2026-03-06', page });
const list = (cursor: string | null = null) =>
  account.listSettlements({ ...span, cursor }, options);

/** The row of the documentation, paid to a bank. */
function settlement(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{
      id: 41748,
      account_id: 73362,
      merchant_name: 'Earth Gang',
      settlement_account: '0031318432',
      bank_code: '063',
    },
    ...{
      transaction_date: '2026-03-03T04:00:00.000Z',
      due_date: '2026-03-04T04:00:00.000Z',
      processed_date: null,
      status: 'completed',
    },
    ...{
      is_local: true,
      currency: 'NGN',
      gross_amount: 122000,
      app_fee: 2108,
      merchant_fee: 0,
      chargeback: 0,
      refund: 0,
    },
    ...{
      stampduty_charge: 0,
      net_amount: 119892,
      transaction_count: 8,
      disburse_ref: 'INSTANT_SETTLEMENT',
      destination: 'account',
    },
    ...{
      flag_message: null,
      meta: [908260, 908790],
      refund_meta: null,
      chargeback_meta: null,
      created_at: '2026-03-04T01:30:00.000Z',
    },
    ...overrides,
  };
}

async function readAs(overrides: Record<string, unknown>) {
  listCall().reply(200, listed([settlement(overrides)]));
  return (await list()).rows[0]!;
}

describe('Flutterwave, asked for its settlements', () => {
  useNock();

  it('states each as it is', async () => {
    listCall().reply(200, listed([settlement()]));
    expect(await list()).to.deep.equal({
      rows: [
        {
          ...{
            providerSettlementId: '41748',
            state: 'landed',
            status: 'completed',
            amountKobo: 11_989_200,
            deductionsKobo: 0,
          },
          ...{
            dueOn: '2026-03-04',
            landedAt: new Date('2026-03-04T04:00:00Z'),
            bank: { name: null, accountLast4: '8432' },
          },
        },
      ],
      next: null,
    });
  });

  const states: [status: unknown, state: string][] = [
    ['completed', 'landed'],
    ['Completed ', 'landed'],
    ['pending', 'pending'],
    ['failed', 'failed'],
    ['flagged', 'unknown'],
    ['toString', 'unknown'],
    [null, 'unknown'],
  ];
  for (const [status, state] of states) {
    it(`reads ${JSON.stringify(status)} as ${state}, with a time of landing only where it has landed`, async () => {
      const landedAt = state === 'landed' ? new Date('2026-03-04T04:00:00Z') : null;
      expect(await readAs({ status })).to.deep.include({
        state,
        status: String(status ?? '')
          .trim()
          .toLowerCase(),
        landedAt,
      });
    });
  }

  it('reads amounts to the kobo, as numbers and as text', async () => {
    expect(await readAs({ net_amount: 9886.05, refund: 20_114.35, chargeback: '0.15' })).to.include(
      {
        ...{ amountKobo: 988_605, deductionsKobo: 2_011_450 },
      },
    );
    expect(await readAs({ net_amount: 90_071_992_547.41 })).to.include({
      amountKobo: 9_007_199_254_741,
    });
  });

  it('says nothing of amounts that are not stated', async () => {
    const unstated = await readAs({ net_amount: null, refund: null, chargeback: undefined });
    expect(unstated).to.include({ amountKobo: null, deductionsKobo: null });
    expect(await readAs({ refund: null, chargeback: 7 })).to.include({ deductionsKobo: 700 });
  });

  it('sends nothing to a bank where more went back than came in', async () => {
    expect(await readAs({ net_amount: -500.5, refund: 900 })).to.include({
      amountKobo: 0,
      deductionsKobo: 90_000,
    });
  });

  it('prefers the day it was processed, and takes the day it is due for Lagos’', async () => {
    const times = {
      due_date: '2026-03-03T23:00:00.000Z',
      processed_date: '2026-03-04T09:30:00.000Z',
    };
    expect(await readAs(times)).to.deep.include({
      dueOn: '2026-03-04',
      landedAt: new Date('2026-03-04T09:30:00Z'),
    });
    expect(await readAs({ due_date: null })).to.include({ dueOn: null, landedAt: null });
  });

  it('names a bank only where money goes to one', async () => {
    expect((await readAs({ destination: 'autowallet' })).bank).to.equal(null);
    expect((await readAs({ settlement_account: null })).bank).to.deep.equal({
      name: null,
      accountLast4: null,
    });
  });

  it('keeps every digit of an id, and gives none of another currency', async () => {
    const rows = JSON.stringify(
      listed([
        settlement({ id: '@' }),
        settlement({ id: 2, currency: 'USD' }),
        settlement({ id: 3, currency: null }),
      ]),
    );
    listCall().reply(200, rows.replace('"@"', '18446744073709551615'));
    expect((await list()).rows.map(({ providerSettlementId: id }) => id)).to.deep.equal([
      '18446744073709551615',
      '3',
    ]);
  });

  it('takes no word of the message for an empty list where there are rows', async () => {
    listCall().reply(200, {
      ...listed([settlement()]),
      message: '1 listed, no settlement found missing',
    });
    expect((await list()).rows).to.have.length(1);
  });

  it('is read where its rows hold more ids of payments than any answer is long', async () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => 908_260_000_000 + index);
    listCall().reply(
      200,
      listed([settlement({ meta: ids }), settlement({ id: 2, meta: JSON.stringify(ids) })]),
    );
    expect((await list()).rows.map(({ providerSettlementId: id }) => id)).to.deep.equal([
      '41748',
      '2',
    ]);
  });
});

describe('Flutterwave, asked for more settlements than a page holds', () => {
  useNock();
  const idsOf = async (cursor: string | null) => {
    const { rows, next } = await list(cursor);
    return { ids: rows.map(({ providerSettlementId: id }) => Number(id)), next };
  };

  it('gives them page by page', async () => {
    listCall(1).reply(200, listed([settlement({ id: 3 }), settlement({ id: 2 })], 2));
    const first = await idsOf(null);
    expect(first.ids).to.deep.equal([3, 2]);
    listCall(2).reply(200, listed([settlement({ id: 1 })], 2));
    expect(await idsOf(first.next)).to.deep.equal({ ids: [1], next: null });
  });

  it('ends where nothing new comes, when it is not said how many pages there are', async () => {
    for (const last of [[], [settlement({ id: 3 })]]) {
      listCall(1).reply(200, { ...listed([settlement({ id: 3 })]), meta: undefined });
      const { next } = await idsOf(null);
      listCall(2).reply(200, { ...listed(last), meta: { page_info: {} } });
      expect((await idsOf(next)).next).to.equal(null);
    }
  });

  it('goes on behind a page of other currencies alone', async () => {
    listCall(1).reply(200, listed([settlement({ currency: 'USD' })], 2));
    expect(await idsOf(null))
      .to.deep.include({ ids: [] })
      .and.to.have.property('next')
      .that.is.a('string');
  });

  it('has none where there are none', async () => {
    listCall().reply(200, listed([], 0));
    expect(await idsOf(null)).to.deep.equal({ ids: [], next: null });
    for (const status of [200, 400, 404]) {
      listCall().reply(status, bad('No settlements found'));
      expect(await idsOf(null), String(status)).to.deep.equal({ ids: [], next: null });
    }
  });
});

describe('Flutterwave, where it does not give its settlements', () => {
  useNock();

  const failures: [what: string, status: number, body: object | string, kind: string][] = [
    ['a wrong path', 404, bad('Resource not found'), 'refused'],
    ['a page of something else', 404, '<html>No settlements found</html>', 'unknown'],
    ['success that is none', 200, { ...listed([settlement()]), status: 'error' }, 'unknown'],
    ['no list', 200, { ...listed([]), data: {} }, 'unknown'],
    ['a row without an id', 200, listed([settlement(), settlement({ id: null })]), 'unknown'],
    ['a row whose id is none', 200, listed([settlement({ id: 1.5 })]), 'unknown'],
    ['an amount that is none', 200, listed([settlement({ net_amount: 'much' })]), 'unknown'],
    ['a refund below nothing', 200, listed([settlement({ refund: -5 })]), 'unknown'],
    ['an empty page of several', 200, listed([], 2), 'unknown'],
    ['a page without end', 200, listed(Array(1_001).fill(settlement())), 'unknown'],
    ['half an answer', 200, JSON.stringify(listed([settlement()])).slice(0, -2), 'unknown'],
  ];
  for (const [what, status, body, kind] of failures) {
    it(`fails as ${kind} with ${what}`, async () => {
      listCall().reply(status, body as object);
      expect(await errorOf(list())).to.include({ kind, stage: 'list settlements' });
    });
  }

  it('tells of none by the payment it holds, nor by a notification, and asks nothing to say so', async () => {
    expect(await account.findSettlement('288200108', options)).to.equal(undefined);
    expect(account.readSettlement('{"event":"settlement"}')).to.equal(undefined);
    expect(nock.pendingMocks()).to.deep.equal([]);
  });
});
