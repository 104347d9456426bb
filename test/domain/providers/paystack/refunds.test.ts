import { expect } from 'chai';
import { errorOf, expectStates, type Reply } from '../calls.ts';
import { accountAt, good, listed, options, payment, refundId, refundRow } from './examples.ts';

const order = { ...payment, refundId, amountKobo: 100_000, reason: 'They cannot come.' };
const wanted = { refundId, providerRefundId: '3018284', payment };
const findWith = (...replies: Reply[]) => accountAt(...replies).account.findRefund(wanted, options);
const findAs = (overrides: Record<string, unknown>) => findWith([200, good(refundRow(overrides))]);
const list = (data: object[]) =>
  accountAt([200, listed(data)]).account.listRefunds!(payment, options);

describe('Creating a refund at Paystack', () => {
  it('sends the payment, the kobo and a one-line note that begins with our id', async () => {
    const answer = good(refundRow({ transaction: { id: 4099260516 } }));
    const { account, bodies, requests } = accountAt([200, answer], [200, answer]);
    const { raw, ...refund } = await account.refund(order, options);
    expect(refund).to.deep.equal({
      ...{ providerRefundId: '3018284', refundId, amountKobo: 100_000 },
      ...{ state: 'processing', status: 'pending', message: null, completedAt: null },
    });
    expect(JSON.parse(raw)).to.deep.equal(answer);
    await account.refund({ ...order, reason: `a\n\u0000b ${'x'.repeat(500)}` }, options);
    expect(requests[0]).to.equal('POST /refund');
    const sent = { transaction: '4099260516', amount: 100_000, currency: 'NGN' };
    expect(bodies.map((body) => JSON.parse(body))).to.deep.equal([
      { ...sent, merchant_note: `${refundId}: They cannot come.` },
      { ...sent, merchant_note: `${refundId}: a b ${'x'.repeat(196)}` },
    ]);
  });

  it('has an unknown outcome where the answer holds no refund', async () => {
    const replies: Reply[] = [
      [200, { status: true, message: 'ok' }],
      [200, good(refundRow({ id: null }))],
      [200, good(refundRow({ amount: null }))],
    ];
    for (const reply of replies) {
      const error = await errorOf(accountAt(reply).account.refund(order, options));
      expect(error).to.include({ kind: 'unknown', stage: 'refund' });
    }
  });

  it('is refused, not absent, where Paystack does not know the payment', async () => {
    const reply: Reply = [404, { status: false, message: 'x', code: 'transaction_not_found' }];
    const error = await errorOf(accountAt(reply).account.refund(order, options));
    expect(error).to.deep.equal({ kind: 'refused', stage: 'refund', message: 'x' });
  });
});

describe('A refund of Paystack', () => {
  it('has one of our states for each documented status, and is unknown with any other', async () => {
    const states = {
      processing: ['pending', 'processing'],
      completed: ['processed', ' Processed'],
      ...{ failed: ['failed'], attention: ['needs-attention'], unknown: ['reversed'] },
    };
    await expectStates(states, (status) => findAs({ status }));
  });

  it('states when it completed, and why it failed or needs attention', async () => {
    const refunded_at = '2026-03-04T10:00:00.000Z';
    const at = new Date(refunded_at);
    const reason = ' Account\nclosed';
    const bankAccount = "Paystack needs the payer's bank account to send the money to.";
    const rows: [fields: Record<string, unknown>, completedAt: Date | null, message: unknown][] = [
      [{ status: 'processed', refunded_at, reason }, at, null],
      [{ status: 'processed' }, null, null],
      [{ status: 'failed', refunded_at, reason }, null, 'Account closed'],
      [{ status: 'failed' }, null, null],
      [{ status: 'needs-attention', reason }, null, 'Account closed'],
      [{ status: 'needs-attention', reason: null }, null, bankAccount],
      [{ status: 'pending', reason }, null, null],
    ];
    for (const [fields, completedAt, message] of rows)
      expect(await findAs(fields), JSON.stringify(fields)).to.deep.include({
        completedAt,
        message,
      });
  });

  it('is unknown where its amount is not whole kobo', async () => {
    expect(await findAs({ amount: '5000' })).to.include({ amountKobo: 5_000 });
    for (const amount of ['50.5', -1, null])
      expect((await errorOf(findAs({ amount }))).kind).to.equal('unknown');
  });
});

describe('Finding a refund at Paystack', () => {
  it('asks by its id; only Paystack itself can say that there is none', async () => {
    const notFound = { status: false, message: 'Refund not found' };
    const { account, requests } = accountAt([404, notFound]);
    expect(await account.findRefund(wanted, options)).to.equal(undefined);
    expect(requests).to.deep.equal(['GET /refund/3018284']);
    const error = await errorOf(findWith([404, '<html>Refund not found</html>']));
    expect(error).to.include({ kind: 'unknown', stage: 'find refund' });
  });

  it('looks for our id in the notes where its id is not known', async () => {
    const others = [
      refundRow({ id: 1, merchant_note: null }),
      refundRow({ id: 2, merchant_note: 'ref_01jn9z7k3e8h6t4b2v5w9xq0ye' }),
    ];
    const find = (...replies: Reply[]) =>
      accountAt(...replies).account.findRefund({ ...wanted, providerRefundId: null }, options);
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
