import { expect } from 'chai';
import { errorOf, onTheWire } from '../wire.ts';
import { account, api, listed, options, payment, reference, refundId, refundRow } from './given.ts';

const order = { ...payment, refundId, amountKobo: 100_000, reason: 'They cannot come.' };
const given = { refundId, providerRefundId: '3018284', payment };
const refundCall = () => api().post('/refund');
const refundAnswer = (overrides: Record<string, unknown> = {}) => ({
  status: true,
  message: 'Refund has been queued for processing',
  data: refundRow({
    transaction: { id: 4099260516, domain: 'test', reference, amount: 500_000 },
    ...overrides,
  }),
});
const listCall = (page = 1) =>
  api().get('/refund').query({ transaction: '4099260516', perPage: '100', page });

describe('Paystack, asked to refund', () => {
  onTheWire();

  it('is told the payment, the kobo and our id, and answers with the refund', async () => {
    const sent: unknown[] = [];
    const anyBody = (body: unknown) => sent.push(body) > 0;
    api().post('/refund', anyBody).reply(200, refundAnswer());
    const { raw, ...refund } = await account.refund(order, options);
    expect(refund).to.deep.equal({
      ...{
        providerRefundId: '3018284',
        refundId,
        amountKobo: 100_000,
        state: 'processing',
        status: 'pending',
      },
      ...{ message: null, completedAt: null },
    });
    expect(JSON.parse(raw)).to.deep.equal(refundAnswer());
    expect(sent).to.deep.equal([
      {
        transaction: '4099260516',
        amount: 100_000,
        currency: 'NGN',
        merchant_note: `${refundId}: They cannot come.`,
      },
    ]);
  });

  it('keeps the note one short line, whatever the reason', async () => {
    refundCall().reply(200, refundAnswer());
    api()
      .post('/refund', ({ merchant_note: note }) => note === `${refundId}: a b ${'x'.repeat(196)}`)
      .reply(200, refundAnswer());
    await account.refund(order, options);
    await account.refund({ ...order, reason: `a\n\u0000b ${'x'.repeat(500)}` }, options);
  });

  it('is not sure to pay once when it is asked twice', () => {
    expect(account.capabilities.idempotentRefunds).to.equal(false);
  });

  const refusals: [status: number, body: Record<string, unknown>][] = [
    [400, { message: 'Insufficient balance to fulfill this refund. Please top up.' }],
    [
      400,
      {
        message: 'Transaction has been fully reversed',
        type: 'api_error',
        code: 'transaction_reversed',
      },
    ],
    [
      400,
      {
        message: 'Refund amount cannot be more than the amount left on the transaction',
        code: 'invalid_params',
      },
    ],
    [404, { message: 'Transaction not found', code: 'transaction_not_found' }],
    [422, { message: 'Invalid state' }],
  ];
  for (const [status, body] of refusals) {
    it(`refuses with ${status}: ${body.message}`, async () => {
      refundCall().reply(status, { status: false, ...body });
      expect(await errorOf(account.refund(order, options))).to.deep.equal({
        kind: 'refused',
        stage: 'refund',
        message: body.message,
      });
    });
  }

  const others: [what: string, status: number, body: object | string, kind: string][] = [
    ['success without a refund', 200, { status: true, message: 'ok' }, 'unknown'],
    ['a refund without an id', 200, refundAnswer({ id: null }), 'unknown'],
    ['a refund without an amount', 200, refundAnswer({ amount: null }), 'unknown'],
  ];
  for (const [what, status, body, kind] of others) {
    it(`does not say no by ${what}`, async () => {
      refundCall().reply(status, body as object);
      expect(await errorOf(account.refund(order, options))).to.include({ kind, stage: 'refund' });
    });
  }
});

describe('Paystack, asked what became of a refund', () => {
  onTheWire();

  const findAs = (overrides: Record<string, unknown>) => {
    api()
      .get('/refund/3018284')
      .reply(200, { status: true, message: 'Refund retrieved', data: refundRow(overrides) });
    return account.findRefund(given, options);
  };

  const states: [status: unknown, state: string][] = [
    ['pending', 'processing'],
    ['processing', 'processing'],
    ['processed', 'completed'],
    ['failed', 'failed'],
    ['needs-attention', 'attention'],
    [' Processed', 'completed'],
    ['reversed', 'unknown'],
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
        amountKobo: 100_000,
      });
    });
  }

  it('says when it completed, and only then', async () => {
    const refunded_at = '2026-03-04T10:00:00.000Z';
    expect((await findAs({ status: 'processed', refunded_at }))!.completedAt).to.deep.equal(
      new Date(refunded_at),
    );
    expect((await findAs({ status: 'processed' }))!.completedAt).to.equal(null);
    expect((await findAs({ status: 'failed', refunded_at }))!.completedAt).to.equal(null);
  });

  it('says why it failed or stands still, where it is said', async () => {
    const reason = ' Account\nclosed';
    expect((await findAs({ status: 'failed', reason }))!.message).to.equal('Account closed');
    expect((await findAs({ status: 'failed' }))!.message).to.equal(null);
    expect((await findAs({ status: 'needs-attention', reason: null }))!.message).to.match(
      /bank account/,
    );
    expect((await findAs({ status: 'pending', reason }))!.message).to.equal(null);
  });

  it('reads amounts that are text, and guesses at none', async () => {
    expect((await findAs({ amount: '5000' }))!.amountKobo).to.equal(5_000);
    for (const amount of ['50.5', -1, null])
      expect((await errorOf(findAs({ amount }))).kind).to.equal('unknown');
  });

  it('has none under an id it does not know, and says so only itself', async () => {
    const notFound = { status: false, message: 'Refund not found' };
    for (const body of [notFound, { ...notFound, code: 'refund_not_found' }]) {
      api().get('/refund/3018284').reply(404, body);
      expect(await account.findRefund(given, options)).to.equal(undefined);
    }
    const others = [
      { status: false, message: 'Endpoint not found', code: 'route_not_found' },
      '<html>404</html>',
    ];
    for (const body of others) {
      api().get('/refund/3018284').reply(404, body);
      expect(await errorOf(account.findRefund(given, options))).to.include({
        stage: 'find refund',
      });
    }
  });

  it('is found by our id in the note while its own is not known', async () => {
    const wanted = { ...given, providerRefundId: null };
    const others = [
      refundRow({ id: 1, merchant_note: null }),
      refundRow({ id: 2, merchant_note: 'ref_01jn9z7k3e8h6t4b2v5w9xq0ye' }),
    ];
    listCall().reply(200, listed([...others, refundRow({ id: 3 })]));
    expect(await account.findRefund(wanted, options)).to.include({
      providerRefundId: '3',
      refundId,
    });
    listCall().reply(200, listed(others));
    expect(await account.findRefund(wanted, options)).to.equal(undefined);
    listCall().reply(200, listed(others, 2));
    listCall(2).reply(500, { status: false, message: 'An error occurred' });
    expect((await errorOf(account.findRefund(wanted, options))).kind).to.equal('unknown');
  });
});

describe('Paystack, asked for the refunds of a payment', () => {
  onTheWire();
  const list = () => account.listRefunds(payment, options);
  const ids = async () => (await list()).map((refund) => refund.providerRefundId);

  it('names them all, and whose they are', async () => {
    const foreign = refundRow({
      id: 5,
      merchant_note: 'A favour',
      status: 'processed',
      transaction: { id: 4099260516 },
    });
    listCall().reply(200, listed([refundRow(), foreign]));
    const refunds = await list();
    expect(refunds.map((refund) => [refund.providerRefundId, refund.refundId])).to.deep.equal([
      ['3018284', refundId],
      ['5', null],
    ]);
    expect(JSON.parse(refunds[1]!.raw)).to.deep.equal(foreign);
  });

  it('has none where there are none', async () => {
    listCall().reply(200, listed([]));
    expect(await list()).to.deep.equal([]);
  });

  it('takes no refund of another payment for one of this, though it stands in the list', async () => {
    listCall().reply(
      200,
      listed([
        refundRow({ id: 1, transaction: 7 }),
        refundRow({ id: 2, transaction: { id: '4099260516' } }),
      ]),
    );
    expect(await ids()).to.deep.equal(['2']);
  });

  it('reads every page, each refund once though it moved on to the next', async () => {
    listCall().reply(200, listed([refundRow({ id: 3 }), refundRow({ id: 2 })], 2));
    listCall(2).reply(200, listed([refundRow({ id: 2 }), refundRow({ id: 1 })], 2));
    expect(await ids()).to.deep.equal(['3', '2', '1']);
  });

  it('reads on until a page is empty where the number of pages is not said', async () => {
    listCall().reply(200, { ...listed([refundRow({ id: 2 })]), meta: undefined });
    listCall(2).reply(200, { ...listed([refundRow({ id: 1 })]), meta: null });
    listCall(3).reply(200, { ...listed([]), meta: {} });
    expect(await ids()).to.deep.equal(['2', '1']);
  });

  it('never gives a list with a hole: too long, broken off, or with a row that cannot be read', async () => {
    for (let page = 1; page <= 10; page++)
      listCall(page).reply(200, listed([refundRow({ id: page })], 11));
    expect(await errorOf(list())).to.include({ kind: 'unknown', stage: 'list refunds' });
    listCall().reply(200, listed([refundRow()], 2));
    listCall(2).reply(429, { status: false, message: 'Rate limit exceeded!' });
    expect((await errorOf(list())).kind).to.equal('limited');
    for (const data of [
      [refundRow(), null],
      [refundRow(), refundRow({ id: undefined })],
      [refundRow({ amount: 'x' })],
      'none',
      {},
    ]) {
      listCall().reply(200, { status: true, message: 'ok', data, meta: { pageCount: 1 } });
      expect((await errorOf(list())).kind, JSON.stringify(data)).to.equal('unknown');
    }
  });
});
