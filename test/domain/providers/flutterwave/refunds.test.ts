import { expect } from 'chai';
import { errorOf, expectErrors, expectStates, type Reply } from '../calls.ts';
import { accountAt, bad, good, listed, options, payment, refundId, refundRow } from './examples.ts';

const order = { ...payment, refundId, amountKobo: 100_050, reason: 'They cannot come.' };
const wanted = { refundId, providerRefundId: '8612', payment };
const made = {
  ...{ id: 8612, account_id: 73362, tx_id: 288200108, amount_refunded: 1000.5 },
  ...{ status: 'completed', destination: 'payment_source', flw_ref: 'URF_1577867664541_3572735' },
  ...{ meta: { source: 'availablebalance' }, created_at: '2026-03-03T09:18:37.366Z' },
};
const findWith = (...replies: Reply[]) => accountAt(...replies).account.findRefund(wanted, options);
const findAs = (overrides: Record<string, unknown>) => findWith([200, good(refundRow(overrides))]);

describe('Creating a refund at Flutterwave', () => {
  const create = async (reply: Reply, overrides: Partial<typeof order> = {}) => {
    const { account, requests, bodies } = accountAt(reply);
    const refund = await account.refund({ ...order, ...overrides }, options);
    return { refund, requests, sent: bodies[0]! };
  };

  it('sends exact naira and a one-line comment that begins with our id', async () => {
    const { refund, requests, sent } = await create([200, good(made)]);
    const { raw, ...fields } = refund;
    expect(fields).to.deep.equal({
      ...{ providerRefundId: '8612', refundId, amountKobo: 100_050, state: 'processing' },
      ...{ status: 'completed', message: null, completedAt: null },
    });
    expect(JSON.parse(raw).data).to.deep.equal(made);
    expect(requests).to.deep.equal(['POST /transactions/288200108/refund']);
    expect(sent).to.equal(`{"amount":1000.50,"comments":"${refundId}: They cannot come."}`);
    const reason = `a\n\u0000b ${'x'.repeat(500)}`;
    const small = await create([200, good({ ...made, amount_refunded: '0.7' })], {
      ...{ amountKobo: 70, reason },
    });
    expect(small.sent).to.equal(`{"amount":0.70,"comments":"${refundId}: a b ${'x'.repeat(196)}"}`);
    expect(small.refund.amountKobo).to.equal(70);
  });

  it('is refused in Flutterwave’s words, and unknown where the answer holds no refund', async () => {
    const replies: [reply: Reply, kind: string][] = [
      [[400, bad('No transaction was found for this id')], 'refused'],
      [[404, bad('Transaction not found')], 'refused'],
      ...[null, { ...made, id: null }, { ...made, amount_refunded: null }].map(
        (data): [Reply, string] => [[200, good(data)], 'unknown'],
      ),
    ];
    await expectErrors('refund', replies, create);
  });
});

describe('Finding a refund at Flutterwave', () => {
  it('reads one of our states for each documented status, and unknown for any other', async () => {
    const states = {
      processing: ['new', 'processing', 'pending-momo', 'completed', 'complete'],
      completed: [
        ...['completed-bank-transfer', 'completed-momo', 'completed-mpgs', ' Completed-MPGS'],
        ...['completed-offline', 'completed-preauth', 'successful'],
      ],
      ...{ failed: ['failed'], unknown: ['pending', 'completedish'] },
    };
    await expectStates(states, (status) => findAs({ status }));
  });

  it('reads from `meta.disburse_status` whether the payout of a bare `completed` went through', async () => {
    const read = (disburseStatus: unknown, status = 'completed') =>
      findAs({ status, meta: JSON.stringify({ disburse_status: disburseStatus }) });
    for (const paidOut of ['successful', 'SUCCEEDED'])
      expect(await read(paidOut), paidOut).to.include({ state: 'completed', status: 'completed' });
    expect(await read('successful', 'complete')).to.include({ state: 'completed' });
    expect(await read('failed')).to.include({
      state: 'failed',
      message: 'Flutterwave took the money, but could not pay it out to the payer.',
    });
    for (const other of ['pending', 'constructor', '', null, 1])
      expect(await read(other), `${other}`).to.include({ state: 'processing', message: null });
    expect(
      await findAs({ status: 'completed', meta: { disburse_status: 'successful' } }),
    ).to.include({ state: 'completed' });
    expect(await findAs({ status: 'completed', meta: 'not JSON' })).to.include({
      state: 'processing',
    });
    expect(await read('successful', 'failed')).to.include({ state: 'failed', message: null });
  });

  it('reads our id from either comment field, and the amount as a number or text', async () => {
    const either = { comment: null, comments: `by ${refundId}`, amount_refunded: '1000.50' };
    expect(await findAs(either)).to.include({ refundId, amountKobo: 100_050 });
    for (const comment of [null, undefined, 7, 'ref_', 'A favour'])
      expect(await findAs({ comment })).to.include({ refundId: null });
  });

  it('fails where the refund is not clear, or is another', async () => {
    const unclear = ['x', -1, 1.001, null].map((amount_refunded) => ({ amount_refunded }));
    for (const overrides of [...unclear, { id: 8613 }])
      expect(await errorOf(findAs(overrides)), JSON.stringify(overrides)).to.include({
        ...{ kind: 'unknown', stage: 'find refund' },
      });
  });

  it('finds none only where Flutterwave itself says so', async () => {
    expect(await findWith([404, bad('Refund not found')])).to.equal(undefined);
    const others: [reply: Reply, kind: string][] = [
      [[404, bad('Resource not found')], 'refused'],
      [[404, '<html>Refund not found</html>'], 'unknown'],
      [[500, bad('Refund not found')], 'unknown'],
    ];
    for (const [reply, kind] of others)
      expect((await errorOf(findWith(reply))).kind, JSON.stringify(reply)).to.equal(kind);
  });

  it('asks by Flutterwave’s id only', async () => {
    const find = accountAt().account.findRefund({ ...wanted, providerRefundId: null }, options);
    expect(await errorOf(find)).to.include({ kind: 'unknown', stage: 'find refund' });
  });
});

describe('Listing the refunds of an account at Flutterwave', () => {
  const from = new Date('2026-03-02T09:15:02Z');
  const list = (reply: Reply) =>
    accountAt(reply).account.listAccountRefunds!({ from, page: 1 }, options);

  it('asks for a page, and reads which payment each is of, with our id where a comment holds it', async () => {
    const rows = [
      refundRow(),
      refundRow({ id: '5', comment: 'A favour', transaction_id: '7', created_at: 'soon' }),
      refundRow({ id: 2, transaction_id: null, tx_id: 9, amount_refunded: 'x' }),
      refundRow({ id: 1, transaction_id: null }),
    ];
    const { account, requests } = accountAt([200, listed(rows, 5)]);
    const page = await account.listAccountRefunds!({ from, page: 3 }, options);
    expect(requests).to.deep.equal(['GET /refunds?from=2026-03-01&to=2026-03-05&page=3']);
    expect(page).to.deep.include({ total: 100, hasMore: true });
    const createdAt = new Date('2026-03-03T09:18:37.366Z');
    expect(page.rows).to.deep.equal([
      { providerRefundId: '8612', providerPaymentId: '288200108', refundId, createdAt },
      { providerRefundId: '5', providerPaymentId: '7', refundId: null, createdAt: null },
      { providerRefundId: '2', providerPaymentId: '9', refundId, createdAt },
      { providerRefundId: '1', providerPaymentId: null, refundId, createdAt },
    ]);
  });

  it('says what the list states of its length, and no more', async () => {
    expect(await list([200, listed([], 1)])).to.deep.equal({
      rows: [],
      total: 100,
      hasMore: false,
    });
    for (const reply of [
      [200, good([])],
      [404, bad('No refunds found')],
    ] as Reply[])
      expect(await list(reply)).to.deep.equal({ rows: [], total: undefined, hasMore: undefined });
  });

  it('is an error where the answer holds no list of refunds', async () => {
    const replies: Reply[] = [
      [500, bad('An error occurred')],
      [200, good({})],
      [200, good([{}])],
    ];
    for (const reply of replies)
      expect(await errorOf(list(reply)), JSON.stringify(reply)).to.include({
        ...{ kind: 'unknown', stage: 'list refunds' },
      });
  });
});
