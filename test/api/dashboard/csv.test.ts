import { expect } from 'chai';
import { chargeStatuses } from '../../../domain/payments/entities/charge.ts';
import { newId } from '../../../domain/shared/ids.ts';
import { addCharges } from '../../support/charge-rows.ts';
import { newCharge, putCharge, stored } from '../../support/charges.ts';
import { csvRows } from '../../support/csv-rows.ts';
import { csrfOf, type DashboardBrowser, dashboardMember } from '../../support/dashboard.ts';
import { addDelivery, addEndpoint } from '../../support/deliveries.ts';
import { addDiscrepancy } from '../../support/discrepancies.ts';
import { addDispute } from '../../support/disputes.ts';
import { insertRow } from '../../support/insert-row.ts';
import { memberOf } from '../../support/members.ts';
import { addReview } from '../../support/reviews.ts';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

describe('A CSV file of the dashboard', () => {
  const stack = useStack({ workers: false, books: false });
  let viewer: DashboardBrowser;
  before(async () => {
    viewer = await dashboardMember(stack, stack.tenant, 'viewer');
  });

  async function download(path: string): Promise<Record<string, string>[]> {
    const { status, html } = await viewer.get(path);
    expect(status).to.equal(200);
    return csvRows(html);
  }

  async function rowOf(charge: { reference: string }, query = '') {
    const rows = await download(`/transactions.csv${query}`);
    return rows.find(({ reference }) => reference === charge.reference)!;
  }

  it('begins with a byte order mark and a header, and is named after the list, mode and local day', async () => {
    const cookie = [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const url = `${stack.context.env.publicUrl}/dashboard/transactions.csv`;
    const response = await fetch(url, { headers: { cookie } });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).to.equal('efbbbf');
    expect(bytes.toString()).to.match(
      /^﻿reference,merchant_reference,status,amount_kobo,amount_naira,/,
    );
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Africa/Lagos' });
    const name = `transactions-test-${format.format(stack.clock())}.csv`;
    const disposition = response.headers.get('content-disposition');
    expect(disposition).to.equal(`attachment; filename="${name}"`);
  });

  it('has amounts in kobo and naira, and times in UTC and in the business’s time zone', async () => {
    const charge = await newCharge(stack, { amount_kobo: 123_450, name: 'Ada, "the" Payer\nObi' });
    await stack.sql`update charges set occurred_at = '2026-03-01T23:30:00Z'
      where number = ${Number(charge.reference.slice(3))}`;
    expect(await rowOf(charge)).to.include({
      ...{ amount_kobo: '123450', amount_naira: '1234.50', customer_name: 'Ada, "the" Payer\nObi' },
      ...{ occurred_at: '2026-03-01T23:30:00.000Z', occurred_local: '2026-03-02 00:30' },
    });
  });

  it('shows what is left after the fee once a transaction was paid, and nothing before; so does its page', async () => {
    const paid = ['succeeded', 'settled', 'refunded', 'disputed'];
    for (const status of chargeStatuses) {
      const charge = await newCharge(stack, { amount_kobo: 12_600_000 });
      await putCharge(stack, charge, status);
      await stack.sql`update charges set fee_kobo = 200000
        where number = ${Number(charge.reference.slice(3))}`;
      const row = await rowOf(charge, `?status=${status}`);
      const { html } = await viewer.get(`/transactions/${charge.reference}`);
      const [, shown] = /<dt>Net<\/dt><dd class="money">([^<]*)</.exec(html)!;
      const [kobo, naira, words] = paid.includes(status)
        ? ['12400000', '124000.00', '₦124,000.00']
        : ['', '', '–'];
      expect([row.net_kobo, row.net_naira, shown], status).to.deep.equal([kobo, naira, words]);
      const { json } = await stack.api.get(`/transactions/${charge.reference}`);
      expect(json.net_kobo, 'on the wire').to.equal(12_400_000);
      await putCharge(stack, charge, 'initiated');
    }
  });

  it('holds every page of what the filter finds, and nothing else', async () => {
    const many = Array.from({ length: 321 }, () => ({ status: 'failed' }) as const);
    const ids = await addCharges(stack, many);
    const rows = await download('/transactions.csv?status=failed');
    expect(rows.map(({ id }) => id)).to.have.members(ids);
  });

  it('escapes cells that a spreadsheet would run as a formula', async () => {
    const escaped: [hostile: string, cell: string][] = [
      ...['=1+1', '+1', '-1+1', '@SUM(1)', '\t=1', ' =1', '\u00a0+1'].map(
        (text): [string, string] => [text, `'${text}`],
      ),
      ['\r=1', "'\r'=1"],
      ['; @x', ";' @x"],
      ['Ada;=1+1;-2', "Ada;'=1+1;'-2"],
      ['Ada\n=1;', "Ada\n'=1;"],
      ['a; b - c = d', 'a; b - c = d'],
    ];
    for (const [description, cell] of escaped) {
      const charge = await newCharge(stack);
      await putCharge(stack, charge, 'succeeded');
      await stack.sql`update charges set name = ${description}, merchant_reference = ${description}
        where number = ${Number(charge.reference.slice(3))}`;
      const { customer_name, merchant_reference } = await rowOf(charge, '?status=succeeded');
      expect([customer_name, merchant_reference]).to.deep.equal([cell, cell]);
    }
  });

  it('has phone numbers as the API does, and as a text that no spreadsheet makes a number of', async () => {
    const charge = await newCharge(stack, { phone: '08031234567' });
    expect(await rowOf(charge)).to.include({
      ...{ customer_phone: '+2348031234567', customer_phone_text: '+234 803 123 4567' },
    });
  });

  it('has of a refund whose it is, what it is called elsewhere, and who asked and decided', async () => {
    const payer = { email: 'ada@payer.example', name: 'Ada Obi', phone: '08031234567' };
    const charge = await newCharge(stack, { ...payer, reference: 'order-7' });
    await putCharge(stack, charge, 'succeeded');
    const { api, memberId } = await memberOf(stack, stack.tenant, 'owner');
    await stack.sql`update members set password_hash = 'none' where id = ${memberId}`;
    const asked = await stack.api.post('/refunds', {
      reference: charge.reference,
      reason: 'Late.',
    });
    await stack.sql`update tenants set refunds_require_two_owners_above_kobo = 0
      where id = ${stack.tenant.tenant_id}`;
    const first = await dashboardMember(stack, stack.tenant, 'owner');
    await first.post(`/refunds/${asked.json.id}/approve`, { csrf: csrfOf(first) });
    await api.post(`/refunds/${asked.json.id}/approve`);
    await stack.sql`update refunds set provider_refund_id = '3018284' where id = ${asked.json.id}`;
    const rows = await download('/refunds.csv');
    const [member] = await stack.sql<{ email: string }>`
      select email from members where id = ${memberId}`;
    expect(rows.find(({ id }) => id === asked.json.id)).to.include({
      ...{ reference: charge.reference, merchant_reference: 'order-7', provider: 'provider_a' },
      ...{
        customer_email: payer.email,
        customer_name: 'Ada Obi',
        customer_phone: '+2348031234567',
      },
      ...{
        provider_refund_id: '3018284',
        first_approved_by: first.email,
        decided_by: member!.email,
      },
      requested_by: `Secret key …${stack.tenant.secret_key_test.slice(-4)}`,
    });
  });

  it('has of a payout its bank, the provider’s id and its sums, also beside each of its payments', async () => {
    const bank = { name: 'Zenith Bank', last4: '0042' };
    const id = await addSettlement(stack, { status: 'landed', landedKobo: 492_500, bank });
    const shown = { bank_name: 'Zenith Bank', bank_account_last4: '0042' };
    const payouts = await download('/settlements.csv?status=landed');
    expect(payouts.find((row) => row.id === id)).to.include({
      ...{ ...shown, provider_reference: id, expected_kobo: '500000', landed_naira: '4925.00' },
    });
    await addCharges(stack, [{ status: 'settled', channel: 'card', settlementId: id }]);
    const [payment] = await download(`/settlements/${id}/transactions.csv`);
    expect(payment).to.include({ ...shown, payout_reference: id, payout_status: 'landed' });
    expect(Number(payment!.net_kobo)).to.equal(
      Number(payment!.amount_kobo) - Number(payment!.fee_kobo),
    );
    const { html } = await viewer.get(`/settlements/${id}`);
    expect(html).to.include(`<dt>Payout at the provider</dt><dd>${id}</dd>`);
  });

  it('has what a payout pays for each payment, as its lines state it; so does its page', async () => {
    const id = await addSettlement(stack, { status: 'landed', landedKobo: 98_000 });
    const other = await addSettlement(stack);
    const paid = async (lines: { fee_kobo: number | null; settlement_id?: string }[]) => {
      const charge = await newCharge(stack);
      await putCharge(stack, charge, 'settled');
      const { id: charge_id, attempts } = await stored(stack, charge);
      const { id: attempt_id, connection_id } = attempts[0]!;
      await stack.sql`update charges set settlement_id = ${id}, fee_kobo = 1 where id = ${charge_id}`;
      for (const { fee_kobo, settlement_id = id } of lines) {
        const capture = newId('cap', stack.clock());
        const of = { charge_id, connection_id, provider_payment_id: capture, amount_kobo: 100_000 };
        await insertRow(stack, 'captures', {
          ...{ ...of, id: capture, attempt_id, status: 'duplicate', fee_kobo: 1_500 },
          ...{ currency: 'NGN', channel: 'card', payer_fee_kobo: 0, kept_kobo: 0, settlement_id },
          ...{ captured_at: stack.clock(), recorded_at: stack.clock() },
        });
        await insertRow(stack, 'settlement_lines', {
          ...{
            ...of,
            id: newId('sln', stack.clock()),
            settlement_id,
            capture_id: capture,
            fee_kobo,
          },
          ...{ reference: capture, statement_version: 1, is_foreign: false, needs_rematch: false },
        });
      }
      return charge.reference;
    };
    const stated = await paid([{ fee_kobo: 2_000 }]);
    const unstated = await paid([{ fee_kobo: null }]);
    const twice = await paid([{ fee_kobo: 2_000 }, { fee_kobo: 2_100 }]);
    const elsewhere = await paid([{ fee_kobo: 2_000, settlement_id: other }]);
    const rows = await download(`/settlements/${id}/transactions.csv`);
    const { html } = await viewer.get(`/settlements/${id}`);
    for (const [reference, gross, fee, net, shown] of [
      [stated, '100000', '2000', '98000', ['₦1,000.00', '₦20.00', '₦980.00']],
      [unstated, '100000', '1500', '98500', ['₦1,000.00', '₦15.00', '₦985.00']],
      [twice, '200000', '4100', '195900', ['₦2,000.00', '₦41.00', '₦1,959.00']],
      [elsewhere, '', '', '', ['₦1,000.00', '₦0.01', '₦999.99']],
    ] as const) {
      const row = rows.find((one) => one.reference === reference)!;
      const of = [row.payout_gross_kobo, row.payout_fee_kobo, row.payout_net_kobo];
      expect(of, reference).to.deep.equal([gross, fee, net]);
      const [, cells = ''] = html.split(`>${reference}</a>`);
      const amounts = [...cells.split('</tr>')[0]!.matchAll(/₦[\d,.]+/g)].map(([amount]) => amount);
      expect(amounts, reference).to.deep.equal(shown);
    }
  });

  it('is there for every list, with its filter, for whoever sees the list', async () => {
    const owner = await dashboardMember(stack, stack.tenant, 'owner');
    const endpoint = await addEndpoint(stack);
    const deliveries = `/developers/endpoints/${endpoint}`;
    const delivered = await addDelivery(stack, { endpointId: endpoint, status: 'delivered' });
    const lost = await addDispute(stack);
    await stack.sql`update disputes set status = 'lost' where id = ${lost}`;
    await stack.api.get('/charges/SV-1');
    await stack.context.requestLog.flush();
    const lists: [list: string, file: string, found?: string][] = [
      ...['/payment-links', '/audit-log', '/settlements', '/disputes'].map(
        (list): [string, string] => [list, `${list}.csv`],
      ),
      ['/reviews', '/reviews.csv?status=open'],
      ['/members', '/members.csv', owner.email],
      ['/developers', '/developers/keys.csv', stack.tenant.public_key_test],
      ['/developers', '/developers/endpoints.csv', endpoint],
      ['/providers', '/providers.csv', 'provider_a'],
      ['/disputes?status=lost', '/disputes.csv?status=lost', lost],
      [
        `${deliveries}?status=delivered`,
        `${deliveries}/deliveries.csv?status=delivered`,
        delivered,
      ],
      ['/developers/requests?only=errors', '/developers/requests.csv?only=errors', 'not_found'],
    ];
    await addDelivery(stack, { endpointId: endpoint, status: 'exhausted' });
    await addDispute(stack);
    for (const [list, file, found] of lists) {
      expect((await owner.get(list)).html, list).to.include(`href="/dashboard${file}">Export CSV`);
      const { status, html } = await owner.get(file);
      expect(status, file).to.equal(200);
      if (found) expect(html, file).to.include(found);
      if (found && file.includes('?')) expect(csvRows(html), file).to.have.lengthOf(1);
    }
    for (const file of [
      '/members.csv',
      '/providers.csv',
      '/developers/requests.csv',
      '/developers/keys.csv',
    ])
      expect((await viewer.get(file)).status, file).to.equal(403);
  });

  it('names in each list whose payment it is and who decided, and providers as people do', async () => {
    const { email } = await dashboardMember(stack, stack.tenant, 'owner');
    const [{ id: owner } = { id: '' }] = await stack.sql<{ id: string }>`
      select id from members where email = ${email}`;
    const payer = { email: 'bisi@payer.example', name: 'Bisi', phone: '08031234568' };
    const charge = await newCharge(stack, { ...payer, reference: 'order-8' });
    const review = await addReview(stack, 'extra_capture', charge);
    const [{ capture_id } = { capture_id: '' }] = await stack.sql<{ capture_id: string }>`
      update reviews set status = 'accepted', decided_by = ${owner}, decided_at = now()
      where id = ${review} returning capture_id`;
    const dispute = await addDispute(stack, capture_id);
    const discrepancy = await addDiscrepancy(stack);
    const { id: transaction } = await stored(stack, charge);
    await stack.sql`update discrepancies set charge_id = ${transaction}, closed_by = ${owner},
      status = 'closed' where id = ${discrepancy}`;
    const known = {
      ...{ merchant_reference: 'order-8', customer_email: payer.email, customer_name: 'Bisi' },
      ...{ customer_phone: '+2348031234568', customer_phone_text: '+234 803 123 4568' },
    };
    const rowIn = async (list: string, id: string) =>
      (await download(`/${list}.csv`)).find((row) => row.id === id);
    const paystack = { provider: 'provider_a', provider_name: 'Paystack' };
    expect(await rowIn('reviews', review)).to.include({ ...known, ...paystack, decided_by: email });
    expect(await rowIn('disputes', dispute)).to.include({ ...known, ...paystack });
    const closed = { ...known, ...paystack, closed_by: email };
    expect(await rowIn('discrepancies', discrepancy)).to.include(closed);
  });

  it('is at most two at once for a member, and says so', async () => {
    const other = await dashboardMember(stack, stack.tenant, 'viewer');
    const path = '/transactions.csv';
    const waiting = `pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const held = stack.context.db.transaction(async (sql) => {
      await sql.query('lock table charges in access exclusive mode');
      const under = [viewer.get(path), viewer.get(path)];
      await until('two exports that wait', async () => (await stack.count(waiting)) >= 2);
      const refused = await viewer.get(path);
      expect(refused.status).to.equal(429);
      expect(refused.html).to.include('Two of your exports are still under way.');
      return { under, other: other.get(path) };
    });
    const { under, other: others } = await held;
    for (const file of [...under, others]) expect((await file).status).to.equal(200);
    expect((await viewer.get(path)).status, 'once they are done').to.equal(200);
  });

  it('writes amounts below zero as numbers', async () => {
    await addDiscrepancy(stack, { differenceKobo: -2_550 });
    const [row] = await download('/discrepancies.csv');
    expect(row).to.include({ difference_kobo: '-2550', difference_naira: '-25.50' });
  });

  it('is a view that says what is wrong, and no file, for a filter that is wrong', async () => {
    for (const path of [
      ...['/transactions.csv?status=nothing', '/transactions.csv?from=yesterday'],
      ...['/refunds.csv?status=nothing', '/discrepancies.csv?kind=nothing'],
      '/settlements/stl_none/transactions.csv',
    ]) {
      const { status, headers, html } = await viewer.get(path);
      expect(status, path).to.be.oneOf([404, 422]);
      expect(headers.get('content-type')).to.match(/^text\/html/);
      expect(headers.get('content-disposition')).to.equal(null);
      expect(html).to.include('<h1');
    }
  });
});
