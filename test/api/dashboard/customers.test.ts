import { expect } from 'chai';
import { addCharges } from '../../support/charge-rows.ts';
import { newCharge, putCharge, stored } from '../../support/charges.ts';
import { csvRows } from '../../support/csv-rows.ts';
import { type DashboardBrowser, dashboardMember, totalIn } from '../../support/dashboard.ts';
import { addDispute } from '../../support/disputes.ts';
import { unescaped } from '../../support/html.ts';
import { newLink, openedBy } from '../../support/payment-links.ts';
import { useStack } from '../../support/stack.ts';

describe('The customers of a business', () => {
  const stack = useStack({ workers: false, newTenants: true, books: false });
  let viewer: DashboardBrowser;
  beforeEach(async () => {
    viewer = await dashboardMember(stack, stack.tenant, 'viewer');
  });

  const chargeOf = (email: string, name?: string, more = {}) => {
    stack.clock.advance(1);
    return newCharge(stack, { email, ...(name && { name }), ...more });
  };
  const list = (text = '') => viewer.get(`/customers?${new URLSearchParams({ text })}`);
  const emailsIn = (html: string) =>
    [...html.matchAll(/\/customers\/cus_\w+">([^<]+)</g)].map(([, email]) => unescaped(email!));
  const found = async (text: string) => emailsIn((await list(text)).html);

  it('are listed once each, newest first, counted and exported', async () => {
    await chargeOf('ada@mail.example', 'Ada Obi', { phone: '08031234567' });
    await chargeOf('bisi@mail.example');
    await chargeOf('ADA@mail.example', 'Ada Obi');
    await chargeOf('aba@mail.example'); // whose place in the key is right before another's
    const { html } = await list();
    const emails = ['aba', 'bisi', 'ada'].map((name) => `${name}@mail.example`);
    expect(emailsIn(html)).to.deep.equal(emails);
    expect(totalIn(html)).to.equal('3 customers');
    const file = await viewer.get('/customers.csv?text=obi');
    expect(csvRows(file.html)).to.have.lengthOf(1);
    expect(csvRows(file.html)[0]).to.include({
      ...{ customer_email: 'ada@mail.example', customer_name: 'Ada Obi' },
      ...{ customer_phone: '+2348031234567', customer_phone_text: '+234 803 123 4567' },
    });
  });

  it('are exported whole where a text finds more than a list reads', async () => {
    const likes = Array.from({ length: 5_100 }, (_, n) => ({ email: `p${n}@mail.example` }));
    await addCharges(stack, likes);
    await stack.sql`insert into customer_words (tenant_id, mode, email, word, customer_id)
      select tenant_id, mode, email, word, 'cus_' || substr(id, 5)
      from (select *, row_number() over (order by id) as nth from charges
        where tenant_id = ${stack.tenant.tenant_id}) charges,
        unnest(array['', 'ada', 'obi']) word
      where word = '' or nth = 1 or (word = 'ada') = (nth % 2 = 0)`;
    await stack.sql`analyze charges, customer_words`;
    const emailsOf = async (text: string) => {
      const file = await viewer.get(`/customers.csv?${new URLSearchParams({ text })}`);
      return csvRows(file.html).map(({ customer_email }) => customer_email);
    };
    expect(new Set(await emailsOf('p')).size).to.equal(likes.length);
    expect(await emailsOf('ada')).to.have.lengthOf(2_551);
    expect(await emailsOf('ada obi')).to.deep.equal(['p0@mail.example']);
    expect(await emailsOf('obi p')).to.deep.equal([]);
  });

  it('are found by every word of each name they gave, and by how their e-mail address begins', async () => {
    await chargeOf('a.ok@mail.example', 'Adébáyọ̀ Okafor-Bello');
    await chargeOf('a.ok@mail.example', 'Bayo');
    await chargeOf('bisi@mail.example', 'Bisi Okafor');
    const [bayo, bisi] = ['a.ok@mail.example', 'bisi@mail.example'];
    const expected: [text: string, emails: string[]][] = [
      ['okafor', [bisi, bayo]],
      ['OKAFOR adebayo', [bayo]],
      ['Adébáyọ̀', [bayo]],
      ['bello', [bayo]],
      ['bayo okafor', [bayo]],
      ['okafor nobody', []],
      ['a.', [bayo]],
      ['A.OK@mail', [bayo]],
      ['bis', [bisi]],
      ['mail', []],
    ];
    for (const [text, emails] of expected) expect(await found(text), text).to.deep.equal(emails);
    expect(totalIn((await list('okafor')).html)).to.equal('2 customers');
    expect(totalIn((await list('bayo okafor')).html)).to.equal('1 customer');
  });

  it('are one customer where two first charges come at once', async () => {
    await Promise.all(
      Array.from({ length: 20 }, () =>
        newCharge(stack, { email: 'ada@mail.example', name: 'Ada' }),
      ),
    );
    expect(await found('ada')).to.deep.equal(['ada@mail.example']);
  });

  it('are found once by a name and an address that other first charges gave at once', async () => {
    const email = 'bola@mail.example';
    const names = ['Ada', 'Bola', 'Chidi', 'Dayo', 'Bola Eze', 'Femi'];
    await Promise.all(names.map((name) => newCharge(stack, { email, name })));
    for (const text of ['bola', 'ada', 'femi', 'eze bola'])
      expect(await found(text), text).to.deep.equal([email]);
  });

  it('have a page, to which each of their transactions leads, with all they did and its sums', async () => {
    const disputed = await addDispute(stack);
    await stack.sql`update charges set email = 'Ada@mail.example', status = 'disputed'`;
    const paid = await chargeOf('ada@mail.example', 'Ada Obi', { amount_kobo: 250_050 });
    await putCharge(stack, paid, 'succeeded');
    const body = { reference: paid.reference, amount_kobo: 50_000, reason: 'Too large' };
    const { json: refund } = await stack.api.post<{ id: string }>('/refunds', body);
    await stack.sql`update charges set refunded_kobo = 50000
      where number = ${Number(paid.reference.slice(3))}`;
    const unpaid = await chargeOf('ada@mail.example');
    await putCharge(stack, unpaid, 'failed');
    const addressed = await newLink(stack, { customer: { email: 'ADA@mail.example' } });
    const open = await newLink(stack);
    await openedBy(stack, open, { email: 'ada@mail.example' });
    const foreign = await newLink(stack, { customer: { email: 'bisi@mail.example' } });
    const other = await chargeOf('bisi@mail.example');

    const { html: transaction } = await viewer.get(`/transactions/${unpaid.reference}`);
    const [, path] = /\/dashboard(\/customers\/\w+)"/.exec(transaction)!;
    expect(path, 'no e-mail address').to.match(/^\/customers\/cus_[0-9a-z]{26}$/);
    const { html } = await viewer.get(path!);
    const fact = (title: string) =>
      new RegExp(`<dt>${title}</dt><dd[^>]*>([^<]*)<`).exec(html)?.[1];
    const { amount_kobo: disputedKobo } = (
      await stack.sql`select amount_kobo from charges
      where id = (select charge_id from disputes where id = ${disputed})`
    )[0]!;
    const naira = (kobo: number) =>
      `₦${(kobo / 100).toLocaleString('en-NG', { minimumFractionDigits: 2 })}`;
    expect(fact('Payments')).to.equal('2');
    expect(fact('Paid')).to.equal(naira(disputedKobo + 250_050));
    expect(fact('Refunded')).to.equal('₦500.00');
    expect(fact('Paid less refunds')).to.equal(naira(disputedKobo + 200_050));
    const shown = [`/transactions/${paid.reference}"`, `/transactions/${unpaid.reference}"`];
    const more = [`/refunds/${refund.id}"`, `/disputes/${disputed}"`];
    for (const one of [...shown, ...more, addressed.id, open.id]) expect(html).to.include(one);
    for (const one of [other.reference, foreign.id]) expect(html).not.to.include(one);
  });

  it('are of one mode and business, and nobody else’s page opens', async () => {
    const { id } = await stored(stack, await chargeOf('ada@mail.example'));
    const path = `/customers/${id.replace('txn_', 'cus_')}`;
    expect((await viewer.get(path)).status).to.equal(200);
    const stranger = await dashboardMember(stack, await stack.newTenant(), 'owner');
    for (const one of [path, '/customers/cus_1', `/customers/${id}`])
      expect((await stranger.get(one)).status, one).to.equal(404);
    expect(emailsIn((await stranger.get('/customers')).html)).to.deep.equal([]);
  });
});
