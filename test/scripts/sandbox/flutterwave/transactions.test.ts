import { expect } from 'chai';
import type { Json } from '../json.ts';
import { openFlutterwave } from './fixture.ts';

describe('sandbox: Flutterwave transactions', () => {
  it('shows a paid one in naira, with the fee, what is settled and who paid', async () => {
    await using fixture = await openFlutterwave();
    const { reference } = await fixture.link({
      amount: 2500,
      customer: { email: 'ada@example.com', name: 'Ada Obi', phonenumber: '08030000000' },
      meta: { order: '7' },
    });
    await fixture.pass(60_000);
    const { id } = (await fixture.control('POST', '/pay', { reference, outcome: 'success' })).body;
    const { status, body } = await fixture.flutterwave('GET', `/transactions/${id}/verify`);
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'success', message: 'Transaction fetched successfully' });
    expect(body.data).to.include({
      id,
      tx_ref: reference,
      status: 'successful',
      currency: 'NGN',
      payment_type: 'card',
      merchant_fee: 0,
    });
    expect(body.data).to.include({
      amount: 2500,
      charged_amount: 2500,
      app_fee: 35,
      amount_settled: 2462.37,
    });
    expect(body.data).to.include({
      created_at: '2026-03-02T09:01:00.000Z',
      account_id: fixture.accountId,
    });
    expect(body.data.flw_ref).to.match(/^FLW-MOCK-[0-9a-f]{32}$/);
    expect(body.data.meta).to.deep.equal({ order: '7' });
    expect(body.data.card).to.include({ last_4digits: '2950' });
    expect(body.data.customer).to.include({
      email: 'ada@example.com',
      name: 'Ada Obi',
      phone_number: '08030000000',
    });
    expect(await fixture.verified(reference)).to.deep.equal(body.data);
  });

  it('makes each attempt a transaction of its own, declined and paid alike, under one tx_ref', async () => {
    await using fixture = await openFlutterwave();
    const reference = await fixture.order();
    const ids: number[] = [];
    for (const outcome of ['failed', 'failed', 'success']) {
      ids.push((await fixture.control('POST', '/pay', { reference, outcome })).body.id);
    }
    expect(new Set(ids).size).to.equal(3);
    const rows = (await fixture.flutterwave('GET', `/transactions?tx_ref=${reference}`)).body.data;
    expect(rows.map((row: Json) => [row.id, row.status])).to.deep.equal([
      [String(ids[2]), 'successful'],
      [String(ids[1]), 'failed'],
      [String(ids[0]), 'failed'],
    ]);
    const declined = (await fixture.flutterwave('GET', `/transactions/${ids[0]}/verify`)).body.data;
    expect(declined).to.include({
      id: ids[0],
      tx_ref: reference,
      status: 'failed',
      amount: 5000,
      amount_settled: null,
    });
    expect((await fixture.verified(reference)).id).to.equal(ids[2]);
    const listed = (await fixture.control('GET', `/payments?reference=${reference}`)).body.data;
    expect(listed.map((row: Json) => row.status)).to.deep.equal(['paid', 'failed', 'failed']);
  });

  it('is paid once, unless it is asked to be paid again: then it is two successes under one tx_ref', async () => {
    await using fixture = await openFlutterwave();
    const reference = await fixture.sale();
    expect(
      (await fixture.control('POST', '/pay', { reference, outcome: 'success' })).status,
    ).to.equal(409);
    const again = await fixture.control('POST', '/pay', {
      reference,
      outcome: 'success',
      again: true,
      amount_kobo: 100,
    });
    expect(again.body).to.include({ status: 'paid', paid_kobo: 100 });
    const rows = (
      await fixture.flutterwave('GET', `/transactions?tx_ref=${reference}&status=successful`)
    ).body.data;
    expect(rows.map((row: Json) => row.amount)).to.deep.equal([1, 5000]);
    expect((await fixture.control('GET', '/stats')).body.flutterwave.captures).to.equal(2);
  });

  it('takes the money once when two pay a link at the same time', async () => {
    await using fixture = await openFlutterwave();
    const reference = await fixture.order();
    const replies = await Promise.all(
      [1, 2].map(() => fixture.control('POST', '/pay', { reference, outcome: 'success' })),
    );
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
  });

  it('lists newest first in pages of twenty, with flat rows whose ids are text', async () => {
    await using fixture = await openFlutterwave();
    const references: string[] = [];
    for (let n = 0; n < 21; n++) references.unshift(await fixture.sale(10_000, { notify: false }));
    const first = (await fixture.flutterwave('GET', '/transactions')).body;
    const second = (await fixture.flutterwave('GET', '/transactions?page=2')).body;
    expect([...first.data, ...second.data].map((row: Json) => row.tx_ref)).to.deep.equal(
      references,
    );
    expect(second.meta.page_info).to.include({ total: 21, current_page: 2, total_pages: 2 });
    expect(first.data[0].id).to.be.a('string');
    expect(first.data[0]).to.include({
      customer_email: 'ada@example.com',
      amount: 100,
      amount_settled: 98.49,
    });
    expect(first.data[0]).not.to.have.property('customer');
  });

  it('lists by day and status, and refuses what it cannot read', async () => {
    await using fixture = await openFlutterwave();
    const paid = await fixture.sale();
    await fixture.sale(500_000, { outcome: 'failed' });
    const listed = async (query: string) =>
      (await fixture.flutterwave('GET', `/transactions?${query}`)).body.data.length;
    expect(await listed('from=2026-03-02&to=2026-03-02')).to.equal(2);
    expect(await listed('from=2026-03-03')).to.equal(0);
    expect(await listed('to=2026-03-01')).to.equal(0);
    expect(await listed('status=failed')).to.equal(1);
    expect(await listed('status=pending')).to.equal(0);
    expect(await listed('currency=USD')).to.equal(0);
    expect(await listed(`tx_ref=${paid}&customer_email=ada@example.com`)).to.equal(1);
    for (const query of ['page=x', 'page=0', 'from=yesterday']) {
      expect((await fixture.flutterwave('GET', `/transactions?${query}`)).status, query).to.equal(
        400,
      );
    }
  });
});
