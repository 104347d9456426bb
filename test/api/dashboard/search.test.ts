import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { addCharges } from '../../support/charge-rows.ts';
import { type Checkout, newCharge, putCharge, stored } from '../../support/charges.ts';
import { type DashboardBrowser, dashboardMember } from '../../support/dashboard.ts';
import { addDispute } from '../../support/disputes.ts';
import { unescaped } from '../../support/html.ts';
import { newLink } from '../../support/payment-links.ts';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';

describe('The search of the dashboard', () => {
  const stack = useStack({ workers: false, newTenants: true, books: false });
  let viewer: DashboardBrowser;
  let charge: Checkout;
  let row: Awaited<ReturnType<typeof stored>>;
  beforeEach(async () => {
    viewer = await dashboardMember(stack, stack.tenant, 'viewer');
    charge = await newCharge(stack, {
      ...{ reference: 'order@shop #7', amount_kobo: 500_050, email: 'ada.obi@mail.example' },
      ...{ name: 'Adaeze Obi', phone: '0803 123 4567' },
    });
    row = await stored(stack, charge);
  });

  const search = (q: string, by = viewer) => by.get(`/search?${new URLSearchParams({ q })}`);
  const capture = (id: string, providerPaymentId: string) => stack.sql`
    insert into captures (id, charge_id, attempt_id, connection_id, provider_payment_id, status,
      amount_kobo, currency, channel, captured_at, recorded_at)
    values (${id}, ${row.id}, ${row.attempts[0]!.id}, ${row.connection_id}, ${providerPaymentId},
      'duplicate', 500050, 'NGN', 'card', ${stack.clock()}, ${stack.clock()})`;

  async function placesByWords(): Promise<[words: string, to: string][]> {
    const link = await newLink(stack);
    const disputed = await addDispute(stack);
    const settlement = await addSettlement(stack);
    await stack.sql`update settlements set provider_settlement_id = 'PAYOUT-9'
      where id = ${settlement}`;
    await capture('cap_twice', 'T685312');
    await putCharge(stack, charge, 'succeeded');
    const body = { reference: charge.reference, amount_kobo: 10_000, reason: 'No fit.' };
    const { json: refund } = await stack.api.post<{ id: string }>('/refunds', body);
    await stack.sql`update refunds set provider_refund_id = '3018284',
      connection_id = ${row.connection_id} where id = ${refund.id}`;
    const [dispute] = await stack.sql<{ provider_dispute_id: string }>`
      select provider_dispute_id from disputes where id = ${disputed}`;
    const transaction = `/transactions/${charge.reference}`;
    const customer = /\/customers\/cus_\w+/;
    const { html } = await viewer.get('/customers');
    const ids = [...html.matchAll(new RegExp(`(${customer.source})">ada.obi@`, 'g'))];
    const [, adaeze] = ids[0]!;
    return [
      [charge.reference, transaction],
      [` ${charge.reference.toLowerCase()} `, transaction],
      [`reference ${charge.reference}`, transaction],
      [charge.checkout_url, `/transactions/${row.id}`],
      [row.id, `/transactions/${row.id}`],
      [row.attempts[0]!.reference, transaction],
      ['T685312', transaction],
      [' order@shop #7 ', transaction],
      ['0803-123 4567', transaction],
      ['+234 803 123 4567', transaction],
      ['5,000.50', transaction],
      ['₦5000.5', transaction],
      [refund.id, `/refunds/${refund.id}`],
      ['3018284', `/refunds/${refund.id}`],
      [settlement, `/settlements/${settlement}`],
      ['PAYOUT-9', `/settlements/${settlement}`],
      [disputed, `/disputes/${disputed}`],
      [dispute!.provider_dispute_id, `/disputes/${disputed}`],
      [link.url, `/payment-links/${link.id}/qr`],
      ['obi adaeze', adaeze!],
      ['ADA.OBI@mail.example', adaeze!],
      ['ada.', adaeze!],
      [adaeze!.slice('/customers/'.length), adaeze!],
    ];
  }

  it('leads to what a reference, an id, a customer or an amount means, and a stranger to nothing', async () => {
    const places = await placesByWords();
    const stranger = await dashboardMember(stack, await stack.newTenant(), 'owner');
    for (const [words, to] of places) {
      expect((await search(words)).location, words).to.equal(to);
      const { status, html } = await search(words, stranger);
      expect(status, words).to.equal(200);
      expect(html, words).to.include('Nothing in test mode goes by');
    }
  });

  it('says what can be searched for where there is nothing', async () => {
    const long = `${'a'.repeat(300)}@b.example`;
    const nothing = ['@', 'a@', '@b', 'nobody', 'SV-999999999', long, 'a\0b', '%', '0'];
    for (const words of [...nothing, newId('txn', stack.clock()), newId('whe', stack.clock())]) {
      const { status, html } = await search(words);
      expect(status, words).to.equal(200);
      expect(html, words).to.include('Nothing in test mode goes by');
      expect(html, words).to.include('Search for:');
    }
    expect((await search('  ')).html)
      .to.include('Search for:')
      .and.not.include('Nothing in');
  });

  it('lists a few of each kind that the words may mean, and where all are', async () => {
    const likes = Array.from({ length: 11 }, () => ({ merchantReference: '500000' }));
    await addCharges(stack, likes);
    await addCharges(stack, [{ amountKobo: 50_000_000 }]);
    await newCharge(stack, { name: 'Unit 500000' });
    const { status, html } = await search('500000');
    expect(status).to.equal(200);
    const titles = [...html.matchAll(/<h2[^>]*>([^<]*)</g)].map(([, title]) => unescaped(title!));
    expect(titles).to.deep.equal([
      'Transactions with your reference 500000',
      'Transactions of ₦500,000.00',
      'Customers',
    ]);
    expect(html.match(/\/transactions\/SV-\d+"/g)).to.have.lengthOf(11);
    expect(html).to.include('/transactions?merchant_reference=500000">All of them<');
    expect(html).not.to.include('amount=');
  });
});
