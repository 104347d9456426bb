import { expect } from 'chai';
import { errorOf, expectUnknown, type Reply } from '../calls.ts';
import { accountAt, bad, good, listed, options, payment, refundId, refundRow } from './examples.ts';

describe('Finding a refund at Flutterwave', () => {
  it('asks by Flutterwave’s id only', async () => {
    const wanted = { refundId, providerRefundId: null, payment };
    const find = accountAt().account.findRefund(wanted, options);
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
    await expectUnknown('list refunds', replies, list);
  });
});
