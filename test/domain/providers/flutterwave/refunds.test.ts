import { expect } from 'chai';
import { errorOf, useNock } from '../calls.ts';
import {
  account,
  api,
  bad,
  days,
  good,
  listed,
  options,
  payment,
  refundId,
  refundRow,
} from './examples.ts';

const order = { ...payment, refundId, amountKobo: 100_050, reason: 'They cannot come.' };
const given = { refundId, providerRefundId: '8612', payment };
const made = {
  ...{
    id: 8612,
    account_id: 73362,
    tx_id: 288200108,
    flw_ref: 'URF_1577867664541_3572735',
    wallet_id: 74639,
    amount_refunded: 1000.5,
  },
  ...{
    status: 'completed',
    destination: 'payment_source',
    meta: { source: 'availablebalance' },
    created_at: '2026-03-03T09:18:37.366Z',
  },
};
const refundCall = (body?: RegExp | ((body: Record<string, unknown>) => boolean)) =>
  api().post('/transactions/288200108/refund', body);
const findCall = () => api().get('/refunds/8612');
const listCall = (page = 1) =>
  api()
    .get('/refunds')
    .query({ ...days, page: String(page) });

describe('Flutterwave, asked to refund', () => {
  useNock();

  it('is told the naira, the reason and our id, and answers with the refund, which is not there yet', async () => {
    const sent: unknown[] = [];
    refundCall((body) => sent.push(body) > 0).reply(
      200,
      good(made, 'Transaction refund initiated'),
    );
    const { raw, ...refund } = await account.refund(order, options);
    expect(refund).to.deep.equal({
      ...{
        providerRefundId: '8612',
        refundId,
        amountKobo: 100_050,
        state: 'processing',
        status: 'completed',
      },
      ...{ message: null, completedAt: null },
    });
    expect(JSON.parse(raw).data).to.deep.equal(made);
    expect(sent).to.deep.equal([{ amount: 1000.5, comments: `${refundId}: They cannot come.` }]);
  });

  it('is told the kobo in the digits of naira', async () => {
    refundCall(/"amount":0\.70,/).reply(200, good({ ...made, amount_refunded: '0.7' }));
    expect((await account.refund({ ...order, amountKobo: 70 }, options)).amountKobo).to.equal(70);
  });

  it('keeps the comment one short line, whatever the reason', async () => {
    refundCall(({ comments }) => comments === `${refundId}: a b ${'x'.repeat(196)}`).reply(
      200,
      good(made),
    );
    await account.refund({ ...order, reason: `a\n\u0000b ${'x'.repeat(500)}` }, options);
  });

  it('is not sure to pay once when it is asked twice', () => {
    expect(account.capabilities.idempotentRefunds).to.equal(false);
  });

  for (const [status, message] of [
    [400, 'Insufficient balance to process this refund'],
    [400, 'No transaction was found for this id'],
    [400, 'Transaction reference has been used before'],
    [404, 'Transaction not found'],
  ] as const) {
    it(`refuses with ${status}: ${message}`, async () => {
      refundCall().reply(status, bad(message));
      expect(await errorOf(account.refund(order, options))).to.deep.equal({
        kind: 'refused',
        stage: 'refund',
        message,
      });
    });
  }

  const others: [what: string, status: number, body: object | string, kind: string][] = [
    ['success without a refund', 200, good(null), 'unknown'],
    ['a refund without an id', 200, good({ ...made, id: null }), 'unknown'],
    ['a refund without an amount', 200, good({ ...made, amount_refunded: null }), 'unknown'],
  ];
  for (const [what, status, body, kind] of others) {
    it(`does not say no by ${what}`, async () => {
      refundCall().reply(status, body as object);
      expect(await errorOf(account.refund(order, options))).to.include({ kind, stage: 'refund' });
    });
  }
});

describe('Flutterwave, asked what became of a refund', () => {
  useNock();

  const findAs = (overrides: Record<string, unknown>) => {
    findCall().reply(200, good(refundRow(overrides), 'Refund fetched'));
    return account.findRefund(given, options);
  };

  const states: [status: unknown, state: string][] = [
    ['new', 'processing'],
    ['processing', 'processing'],
    ['pending-momo', 'processing'],
    ['completed', 'processing'],
    ['completed-bank-transfer', 'completed'],
    ['completed-momo', 'completed'],
    ['completed-mpgs', 'completed'],
    ['completed-offline', 'completed'],
    ['completed-preauth', 'completed'],
    [' Completed-MPGS', 'completed'],
    ['failed', 'failed'],
    ['pending', 'unknown'],
    ['completedish', 'unknown'],
    ['constructor', 'unknown'],
    [null, 'unknown'],
  ];
  for (const [status, state] of states) {
    it(`reads ${JSON.stringify(status)} as ${state}`, async () => {
      const own = typeof status === 'string' ? status.trim().toLowerCase() : '';
      expect(await findAs({ status })).to.deep.include({
        state,
        status: own,
        refundId,
        amountKobo: 100_050,
        message: null,
        completedAt: null,
      });
    });
  }

  it('reads our id under either name, and none where there is none', async () => {
    expect((await findAs({ comment: null, comments: `by ${refundId}` }))!.refundId).to.equal(
      refundId,
    );
    for (const comment of [null, undefined, 7, 'ref_', 'A favour'])
      expect((await findAs({ comment }))!.refundId).to.equal(null);
  });

  it('reads amounts that are text, and guesses at none', async () => {
    expect((await findAs({ amount_refunded: '1000.50' }))!.amountKobo).to.equal(100_050);
    for (const amount_refunded of ['x', -1, 1.001, null])
      expect((await errorOf(findAs({ amount_refunded }))).kind).to.equal('unknown');
  });

  it('takes no other refund for the one it asks for', async () => {
    expect(await errorOf(findAs({ id: 8613 }))).to.include({
      kind: 'unknown',
      stage: 'find refund',
    });
  });

  it('has none under an id it does not know, and says so only itself', async () => {
    for (const [status, message] of [
      [404, 'Refund not found'],
      [400, 'No refund was found for this id'],
      [200, 'No refund found'],
    ] as const) {
      findCall().reply(status, bad(message));
      expect(await account.findRefund(given, options), message).to.equal(undefined);
    }
    for (const [body, kind] of [
      [bad('Resource not found'), 'refused'],
      ['<html>Refund not found</html>', 'unknown'],
      [{ message: 'Refund not found' }, 'unknown'],
    ] as const) {
      findCall().reply(404, body);
      expect(await errorOf(account.findRefund(given, options))).to.include({
        kind,
        stage: 'find refund',
      });
    }
    findCall().reply(500, bad('Refund not found'));
    expect((await errorOf(account.findRefund(given, options))).kind).to.equal('unknown');
  });

  it('is found by our id in the comment while its own is not known', async () => {
    const wanted = { ...given, providerRefundId: null };
    const others = [
      refundRow({ id: 1, comment: null }),
      refundRow({ id: 2, comment: 'ref_01jn9z7k3e8h6t4b2v5w9xq0ye', amount_refunded: 'x' }),
    ];
    listCall().reply(200, listed([...others, refundRow({ id: 3 })]));
    expect(await account.findRefund(wanted, options)).to.include({
      providerRefundId: '3',
      refundId,
    });
    listCall().reply(200, listed(others));
    expect(await account.findRefund(wanted, options)).to.equal(undefined);
    listCall().reply(200, listed(others, 2));
    listCall(2).reply(500, bad('An error occurred'));
    expect(await errorOf(account.findRefund(wanted, options))).to.include({
      kind: 'unknown',
      stage: 'find refund',
    });
  });
});

describe('Flutterwave, asked for the refunds of a payment', () => {
  useNock();
  const list = () => account.listRefunds(payment, options);
  const ids = async () => (await list()).map((refund) => refund.providerRefundId);

  it('names them all, and whose they are', async () => {
    const foreign = refundRow({
      id: 5,
      comment: 'A favour',
      status: 'completed-mpgs',
      amount_refunded: 20,
      transaction_id: '288200108',
    });
    listCall().reply(200, listed([refundRow(), foreign]));
    const refunds = await list();
    expect(
      refunds.map((refund) => [refund.providerRefundId, refund.refundId, refund.state]),
    ).to.deep.equal([
      ['8612', refundId, 'processing'],
      ['5', null, 'completed'],
    ]);
    expect(JSON.parse(refunds[1]!.raw)).to.deep.equal(foreign);
  });

  it('has none where there are none', async () => {
    listCall().reply(200, {
      ...listed([]),
      meta: { page_info: { total: 0, current_page: 0, total_pages: 0 } },
    });
    expect(await list()).to.deep.equal([]);
    listCall().reply(404, bad('No refunds found'));
    expect(await list()).to.deep.equal([]);
  });

  it('takes no refund of another payment for one of this, nor reads it', async () => {
    listCall().reply(
      200,
      listed([
        refundRow({ id: 1, transaction_id: 7, amount_refunded: 'x' }),
        refundRow({ id: 2, transaction_id: null }),
      ]),
    );
    expect(await list()).to.deep.equal([]);
  });

  it('reads every page, each refund once though it moved on to the next', async () => {
    listCall().reply(200, listed([refundRow({ id: 3 }), refundRow({ id: 2 })], 2));
    listCall(2).reply(200, listed([refundRow({ id: 2 }), refundRow({ id: 1 })], 2));
    expect(await ids()).to.deep.equal(['3', '2', '1']);
  });

  it('never gives a list with a hole: too long, broken off, or with a row that cannot be read', async () => {
    for (let page = 1; page <= 50; page++)
      listCall(page).reply(200, listed([refundRow({ id: page })], 51));
    expect(await errorOf(list())).to.include({ kind: 'unknown', stage: 'list refunds' });
    listCall().reply(200, listed([refundRow()], 2));
    listCall(2).reply(429, bad('Too many requests'));
    expect((await errorOf(list())).kind).to.equal('limited');
    for (const data of [
      [refundRow(), null],
      [refundRow({ id: undefined })],
      [refundRow({ amount_refunded: 'x' })],
      'none',
      {},
      null,
    ]) {
      listCall().reply(200, good(data));
      expect((await errorOf(list())).kind, JSON.stringify(data)).to.equal('unknown');
    }
    listCall().reply(404, bad('Resource not found'));
    expect((await errorOf(list())).kind).to.equal('refused');
  });
});
