import { expect } from 'chai';
import { errorOf, type Reply } from '../calls.ts';
import { accountAt, listed, options, payment, refundId, refundRow } from './examples.ts';

const wanted = { refundId, providerRefundId: null, payment };
const list = (data: object[]) =>
  accountAt([200, listed(data)]).account.listRefunds!(payment, options);

describe('Finding a refund at Paystack', () => {
  it('looks for our id in the notes where its id is not known', async () => {
    const others = [
      refundRow({ id: 1, merchant_note: null }),
      refundRow({ id: 2, merchant_note: 'ref_01jn9z7k3e8h6t4b2v5w9xq0ye' }),
    ];
    const find = (...replies: Reply[]) => accountAt(...replies).account.findRefund(wanted, options);
    expect(await find([200, listed([...others, refundRow({ id: 3 })])])).to.include({
      providerRefundId: '3',
      refundId,
    });
    expect(await find([200, listed(others)])).to.equal(undefined);
    const failure: Reply = [500, { status: false, message: 'An error occurred' }];
    expect((await errorOf(find([200, listed(others, 2)], failure))).kind).to.equal('unknown');
  });
});

describe('Listing the refunds of a payment at Paystack', () => {
  it('returns all of them, with our id only where the note holds it', async () => {
    const query = 'transaction=4099260516&perPage=100&page=1';
    const { account: asked, requests } = accountAt([200, listed([refundRow()])]);
    await asked.listRefunds!(payment, options);
    expect(requests).to.deep.equal([`GET /refund?${query}`]);
    const foreign = refundRow({
      ...{ id: 5, merchant_note: 'A favour', status: 'processed' },
      transaction: { id: '4099260516' },
    });
    const refunds = await list([refundRow(), foreign, refundRow({ id: 6, transaction: 7 })]);
    expect(refunds.map((refund) => [refund.providerRefundId, refund.refundId])).to.deep.equal([
      ['3018284', refundId],
      ['5', null],
    ]);
    expect(JSON.parse(refunds[1]!.raw)).to.deep.equal(foreign);
  });

  it('reads no further than the payment where its filter is ignored, however many refunds there are', async () => {
    const HOUR_MS = 3_600_000;
    const pageBefore = (newest: string, first: number): Reply => [
      200,
      listed(
        Array.from({ length: 100 }, (_, n) =>
          refundRow({
            ...{ id: first + n, transaction: 7, amount: 'not ours to read' },
            created_at: new Date(Date.parse(newest) - n * HOUR_MS).toISOString(),
          }),
        ),
        2_000,
      ),
    ];
    const own = refundRow({ id: 9_000, created_at: '2026-03-02T09:21:17.122Z' });
    const [status, body] = pageBefore('2026-03-02T09:00:00Z', 2_000) as [number, any];
    const { account, requests } = accountAt(pageBefore('2026-03-10T09:00:00Z', 1_000), [
      status,
      { ...body, data: [own, ...body.data] },
    ]);
    const refunds = await account.listRefunds!(payment, options);
    expect(refunds.map(({ providerRefundId }) => providerRefundId)).to.deep.equal(['9000']);
    expect(requests).to.have.length(2);
  });

  it('fails where a refund is not clear, or the list has more than fifty pages', async () => {
    const error = await errorOf(list([refundRow(), refundRow({ id: 4, amount: 'x' })]));
    expect(error).to.include({ kind: 'unknown', stage: 'list refunds' });
    const pages = Array.from(
      { length: 50 },
      (_, id): Reply => [200, listed([refundRow({ id })], 51)],
    );
    const long = accountAt(...pages).account.listRefunds!(payment, options);
    expect((await errorOf(long)).message).to.equal('the list has more than 50 pages');
  });
});
