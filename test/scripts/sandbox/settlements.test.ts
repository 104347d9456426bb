import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { newCharge, newReference, openFixture } from './fixture.ts';
import type { Json } from './receiver.ts';

describe('sandbox: settlements', () => {
  const fixture = forEachTest(openFixture);

  const newest = async () => (await fixture.get('/settlement'))[0];

  it('pay out every paid payment once: gross, less fees, less the shortfall asked for', async () => {
    const paid = [await fixture.sale(500_000), await fixture.sale(20_000)];
    await fixture.order();
    const both = [fixture.settle({ short_by_kobo: 500 }), fixture.settle({ short_by_kobo: 500 })];
    expect((await Promise.all(both)).filter(Boolean)).to.have.length(1);
    const settlement = await newest();
    expect(settlement).to.include({
      ...{ status: 'success', domain: 'test', currency: 'NGN', deductions: null },
      ...{ total_processed: 520_000, total_fees: 17_800, total_amount: 502_200 },
      ...{ effective_amount: 501_700, settlement_date: '2026-03-02T00:00:00.000Z' },
    });
    const path = `/settlement/${settlement.id}/transactions?perPage=1`;
    const { message, meta } = (await fixture.call('GET', path)).body;
    expect(message).to.equal('Transactions retrieved');
    expect(meta).to.include({ total: 2, total_volume: 520_000, pageCount: 2 });
    const filtered = await fixture.get(`/transaction?settlement=${settlement.id}`);
    expect(filtered.map((row: Json) => row.reference)).to.have.members(paid);
  });

  it('take out refunds and lost disputes, and never pay less than nothing: what does not fit waits', async () => {
    const [refunded, disputed] = [await fixture.sale(500_000), await fixture.sale(20_000)];
    await fixture.call('POST', '/refund', { transaction: refunded, amount: 100_000 });
    await fixture.pass(1_000);
    await fixture.control('/dispute', { reference: disputed, outcome: 'lost' });
    await fixture.settle({ leave_out: [refunded] });
    expect(await newest()).to.include({ deductions: null, effective_amount: 19_700 });
    await fixture.settle();
    expect(await newest()).to.include({
      ...{ total_amount: 482_500, deductions: 120_000, effective_amount: 362_500 },
    });
  });

  it('are listed by day and page by page', async () => {
    for (let day = 1; day <= 7; day += 1) {
      await fixture.sale();
      await fixture.settle({ at: `2026-01-0${day}T22:00:00Z` });
    }
    const list = async (query: string) => (await fixture.call('GET', `/settlement?${query}`)).body;
    const { data, meta } = await list('from=2026-01-02&to=2026-01-06&perPage=2&page=3');
    const dates = data.map((row: Json) => row.settlement_date);
    expect(dates).to.deep.equal(['2026-01-02T00:00:00.000Z']);
    expect(meta).to.deep.equal({ total: 5, skipped: 4, perPage: 2, page: 3, pageCount: 3 });
    const between = 'from=2026-01-03T22:00:01Z&to=2026-01-05T22:00:00Z';
    expect((await list(between)).data).to.have.length(2);
  });

  it('hold a payment no more that the provider forgets, whose reference is free again', async () => {
    const charge = newCharge();
    const [reference, other] = [newReference(charge), await fixture.sale()];
    const lost = { provider: 'paystack', reference, amount_kobo: 900_000 };
    await fixture.control('/stranger', lost);
    const { id } = await fixture.settle({ short_by_kobo: 77 });
    await fixture.control('/forget', { reference: charge });
    const data = await fixture.get(`/settlement/${id}/transactions`);
    expect(data.map((row: Json) => row.reference)).to.deep.equal([other]);
    const effective_amount = 500_000 - data[0].fees - 77;
    expect(await newest()).to.include({ total_processed: 500_000, effective_amount });
    expect((await fixture.control('/stranger', lost)).status).to.equal(200);
    expect(await fixture.stats()).to.include({ captures: 3 });
  });

  it('are of the account that is named, which a payment of nobody needs where there are several', async () => {
    const { id } = await fixture.stranger();
    const payment = { provider: 'paystack', reference: newReference(), amount_kobo: 20_000 };
    const pay = (account_id?: number) => fixture.control('/stranger', { ...payment, account_id });
    const error = 'account_id is required: paystack has 2 accounts';
    expect(await pay()).to.deep.include({ status: 409, body: { error } });
    expect((await pay(1)).status).to.equal(404);
    for (const account of [id, fixture.accountId])
      expect((await pay(account)).status).to.equal(200);
    for (const fields of [{ account_id: fixture.accountId }, {}])
      expect(await fixture.settle(fields)).to.include({ account_id: id, ...fields });
  });

  it('are refused with changes that no payout can have, and nothing is paid out', async () => {
    const settled = await fixture.sale();
    await fixture.settle({ foreign: [{ reference: 'INV-1', amount_kobo: 100 }] });
    const waiting = await fixture.sale();
    const nosuch = 'SV-1-nosuch00';
    const [ours, theirs] = ['SV-1-abcdefgh', 'INV-2'].map((reference) => ({
      ...{ reference, amount_kobo: 1 },
    }));
    const used = { reference: 'INV-1', amount_kobo: 1 };
    const off = (reference: string, kobo = 1) => [{ reference, kobo }];
    const rows: [status: number, problem: string, fields: object][] = [
      [404, `leave_out.0: no payment of reference ${nosuch}`, { leave_out: [nosuch] }],
      [404, 'amount_off_kobo.0: no payment of', { amount_off_kobo: off(nosuch) }],
      [400, 'foreign.0.reference must not be of the form SV-', { foreign: [ours] }],
      [404, 'account_id 1 is no account here', { account_id: 1 }],
      [409, `leave_out.0: reference ${settled} waits for no`, { leave_out: [settled] }],
      [409, 'fee_off_kobo.0: ', { fee_off_kobo: off(settled) }],
      [
        ...([400, `amount_off_kobo.0: reference ${waiting} is left out`] as const),
        { leave_out: [waiting], amount_off_kobo: off(waiting) },
      ],
      [400, 'amount_off_kobo.0.kobo', { amount_off_kobo: off(waiting, -500_000) }],
      [400, 'fee_off_kobo.0.kobo ', { fee_off_kobo: off(waiting, -500_000) }],
      [409, 'foreign.1: ', { foreign: [theirs, theirs] }],
      [409, 'foreign.0: reference INV-1 is used already', { foreign: [used] }],
    ];
    for (const [status, problem, fields] of rows) {
      const reply = await fixture.control('/settle', fields);
      expect(reply.body.error, JSON.stringify(fields)).to.include(problem);
      expect(reply.status, problem).to.equal(status);
    }
    expect(await fixture.settle()).to.include({ line_count: 1 });
  });

  it('have nothing at the bank once they failed', async () => {
    await fixture.sale();
    const { id } = await fixture.settle({ status: 'pending' });
    await fixture.pass(60_000);
    await fixture.control('/settlement', { id, status: 'failed' });
    const updatedAt = '2026-03-02T09:01:00.000Z';
    expect(await newest()).to.include({ total_amount: 482_500, effective_amount: 0, updatedAt });
    const change = (fields: object) => fixture.control('/settlement', fields);
    expect((await change({ id: 7 })).body.error).to.equal('status or landed_kobo is required');
    for (const fields of [{ status: 'failed' }, { id: 'STL0000000007', landed_kobo: 0 }])
      expect((await change({ id: 7, ...fields })).status).to.equal(404);
  });
});

describe('sandbox: settlements of Flutterwave', () => {
  const fixture = forEachTest(() => openFixture({ provider: 'flutterwave' }));

  it('are what was paid less fee, tax and stamp duty, refunds and lost chargebacks, each in its column', async () => {
    const [big, small] = [await fixture.sale(2_500_000), await fixture.sale(250_000)];
    const ids: number[] = [(await fixture.shown(big)).id, (await fixture.shown(small)).id];
    await fixture.sale(500_000, { outcome: 'failed' });
    const part = { reference: big, now: true, amount_kobo: 50_050 };
    const { refund } = (await fixture.control('/refund', part)).body;
    const dispute = (await fixture.control('/dispute', { reference: small, outcome: 'lost' })).body;
    const { id } = await fixture.settle({ provider: 'provider_b', short_by_kobo: 700 });
    await fixture.sale();
    await fixture.settle();
    const list = await fixture.get('/settlements');
    expect(list.map((row: Json) => row.transaction_count)).to.deep.equal([1, 2]);
    expect(list[0].meta).to.have.length(1);
    const columns = {
      ...{ gross_amount: 27_500, app_fee: 413.88, merchant_fee: 0, stampduty_charge: 50 },
      ...{ refund: 500.5, chargeback: 2_500 },
    };
    expect(list[1]).to.deep.include({
      ...{ ...columns, id, status: 'completed', destination: 'account', is_local: true, meta: ids },
      ...{ refund_meta: [refund.id], chargeback_meta: [dispute.id] },
      net_amount: 27_500 - 413.88 - 50 - 500.5 - 2_500 - 7,
    });
    const one = await fixture.get(`/settlements/${id}`);
    expect(one).to.include({ ...columns, id, is_local: 1, meta: JSON.stringify(ids) });
    expect(one.transactions[0]).to.include({
      ...{ id: ids[0], tx_ref: big, charged_amount: 25_000, app_fee: 376.25 },
      ...{ stampduty_charge: 50, settlement_amount: 24_573.75, status: 'successful' },
    });
    expect(await fixture.shown(big)).to.include({ amount_settled: 24_573.75 });
  });

  it('have the day they were processed only when that is not the moment they were made, and a deduction without a refund', async () => {
    await fixture.sale();
    const { id } = await fixture.settle({ status: 'pending', deduct_kobo: 700 });
    const read = () => fixture.get(`/settlements/${id}`);
    expect(await read()).to.include({ status: 'pending', processed_date: null });
    const processed_date = '2026-03-04T08:00:00.000Z';
    await fixture.control('/settlement', { id, status: 'landed', at: processed_date });
    expect(await read()).to.include({
      ...{ status: 'completed', processed_date, due_date: '2026-03-02T00:00:00.000Z' },
      ...{ refund: 7, refund_meta: null, chargeback: 0 },
    });
  });
});

describe('sandbox: settlements of Monnify', () => {
  const fixture = forEachTest(() => openFixture({ provider: 'monnify' }));
  const told = async () =>
    (await fixture.notified()).filter(({ eventType }) => eventType === 'SETTLEMENT');

  it('are notified with their transactions, without their fees; only lost disputes make them smaller', async () => {
    const [own, refunded] = [await fixture.sale(), await fixture.sale(20_000)];
    const disputed = await fixture.sale(100_000);
    await fixture.order();
    await fixture.control('/refund', { reference: refunded, now: true });
    await fixture.control('/dispute', { reference: disputed, outcome: 'lost' });
    await fixture.pass(3 * 3_600_000);
    await fixture.settle({ short_by_kobo: 500 });
    const [{ eventData }, ...rest] = await told();
    expect(rest).to.deep.equal([]);
    expect(eventData).to.include({
      ...{ amount: '5102.00', transactionsCount: 3, settlementTime: '02/03/2026 01:00:00 PM' },
    });
    expect(eventData.settlementReference).to.match(/^STL\d{10}$/);
    const references = eventData.transactions.map((row: Json) => row.paymentReference);
    expect(references).to.deep.equal([own, refunded, disputed]);
    expect(eventData.transactions[0])
      .to.include({
        ...{ amountPaid: '5000.00', totalPayable: '5000.00', paymentMethod: 'CARD' },
        ...{ paymentStatus: 'PAID', paidOn: '02/03/2026 10:00:00 AM' },
      })
      .and.not.have.property('settlementAmount');
  });

  it('are notified with a hundred of their transactions at the most', async () => {
    for (let paid = 0; paid < 101; paid++) {
      const payment = { reference: newReference(), amount_kobo: 20_000 };
      await fixture.control('/stranger', { provider: 'monnify', ...payment });
    }
    await fixture.settle();
    const { eventData } = (await told())[0];
    expect(eventData).to.include({ transactionsCount: 101 });
    expect(eventData.transactions).to.have.length(100);
  });

  it('are known once they landed, with that time, and notified unless that is not wanted', async () => {
    const { transactionReference } = await fixture.shown(await fixture.sale());
    const settled = await fixture.settle({ status: 'pending' });
    const encoded = encodeURIComponent(transactionReference);
    const path = `/api/v1/settlement-detail?transactionReference=${encoded}`;
    expect((await fixture.call('GET', path)).status).to.equal(404);
    await fixture.pass(24 * 60_000);
    await fixture.control('/settlement', { id: settled.id, status: 'landed', notify: false });
    expect(await told()).to.deep.equal([]);
    expect(await fixture.get(path)).to.include({
      settlementReference: settled.provider_settlement_id,
      settlementDate: '2026-03-02 10:24:00.000',
    });
  });
});
