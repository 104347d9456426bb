import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { addCharges } from '../../support/charge-rows.ts';
import { newCharge, putCharge, stored } from '../../support/charges.ts';
import { HOUR, MINUTE } from '../../support/clock.ts';
import {
  csrfOf,
  type DashboardBrowser,
  dashboardBrowser,
  dashboardMember,
  totalIn,
} from '../../support/dashboard.ts';
import { enrolAuthenticator } from '../../support/dashboard-authenticator.ts';
import { addDelivery, addEndpoint } from '../../support/deliveries.ts';
import { unescaped } from '../../support/html.ts';
import { refundRow } from '../../support/refunds.ts';
import { addSettlement } from '../../support/settlements.ts';
import { useStack } from '../../support/stack.ts';

const UNATTENDED = { 'hx-request': 'true', unattended: '1' };
type Member = Awaited<ReturnType<typeof dashboardMember>>;

describe('In the dashboard', () => {
  const stack = useStack({ workers: false, newTenants: true });

  describe('a list of transactions', () => {
    const linkTo = (html: string, title: string) =>
      unescaped(new RegExp(`href="[^"]*/dashboard([^"]*)">${title}<`).exec(html)?.[1] ?? '');
    const referencesIn = (html: string) => [...new Set(html.match(/transactions\/SV-\d+/g))];
    let viewer: DashboardBrowser;
    beforeEach(async () => {
      viewer = await dashboardMember(stack, stack.tenant, 'viewer');
    });

    it('leads on and back, page by page, with its filter', async () => {
      await addCharges(
        stack,
        Array.from({ length: 60 }, () => ({ status: 'failed' as const })),
      );
      const first = await viewer.get('/transactions?status=failed&status=settled');
      const second = await viewer.get(linkTo(first.html, 'Next page'));
      const third = await viewer.get(linkTo(second.html, 'Next page'));
      expect(referencesIn(third.html)).to.have.lengthOf(10);
      const secondAgain = await viewer.get(linkTo(third.html, 'Previous page'));
      expect(referencesIn(secondAgain.html)).to.deep.equal(referencesIn(second.html));
      const to = linkTo(secondAgain.html, 'Previous page');
      expect(to).to.equal('/transactions?status=failed&status=settled');
      expect(referencesIn((await viewer.get(to)).html)).to.deep.equal(referencesIn(first.html));
      expect(linkTo(first.html, 'Previous page')).to.equal('');
    });

    it('says how many they are and how much, up to a thousand', async () => {
      const like = { status: 'failed' as const, amountKobo: 25_050 };
      await addCharges(
        stack,
        Array.from({ length: 3 }, () => like),
      );
      await addCharges(stack, [{ status: 'settled' }]);
      const some = await viewer.get('/transactions?status=failed&amount=250.50');
      expect(totalIn(some.html)).to.equal('3 transactions, ₦751.50');
      expect(totalIn((await viewer.get('/transactions?status=settled')).html)).to.equal(
        '1 transaction, ₦1,000.00',
      );
      await addCharges(
        stack,
        Array.from({ length: 1_000 }, () => like),
      );
      const many = await viewer.get('/transactions?status=failed');
      expect(totalIn(many.html)).to.equal('More than 1,000 transactions: count them all');
      const all = await viewer.get('/transactions?status=failed&count=all');
      expect(totalIn(all.html)).to.equal('1,003 transactions, ₦251,251.50');
    });

    it('leaves out a wrong filter, says so beside its field, and exports what it shows', async () => {
      await addCharges(stack, [{ status: 'failed' }, { status: 'settled' }]);
      const wrong = 'amount=a+lot&from=2026-02-02&to=2026-02-01&status=failed&settlement_id=7';
      const { status, html } = await viewer.get(`/transactions?${wrong}`);
      expect(status).to.equal(200);
      const said = (name: string) =>
        unescaped(new RegExp(`id="${name}-problem"[^>]*>([^<]*)<`).exec(html)![1]!);
      expect(said('amount')).to.match(/^Amount in naira must be/);
      expect(said('settlement_id')).to.match(/^Settlement must/);
      expect(said('from')).to.equal('From must not be after the last day.');
      expect(said('to')).to.equal('');
      expect(html).to.include('value="a lot"');
      expect(linkTo(html, 'Export CSV')).to.equal('/transactions.csv?status=failed&to=2026-02-01');
    });
  });

  it('balances of what is no day are those of today, and the field says so', async () => {
    await addCharges(stack, [{ status: 'settled' }]);
    const viewer = await dashboardMember(stack, stack.tenant, 'viewer');
    const { status, html } = await viewer.get('/balances?at=x');
    expect(status).to.equal(200);
    expect(html).to.match(/name="at"[^>]* value="x"/);
    expect(html).to.include('At the end of must be a date like 2026-01-31.');
    const { html: today } = await viewer.get('/balances');
    const list = (page: string) => page.slice(page.indexOf('<div id="list"'));
    expect(list(html)).to.equal(list(today));
  });

  it('settlements are listed by their days, the newest first', async () => {
    const days = ['2026-01-03', '2026-01-05', '2026-01-04'];
    for (const expectedDate of days) await addSettlement(stack, { expectedDate });
    const viewer = await dashboardMember(stack, stack.tenant, 'viewer');
    const { html } = await viewer.get('/settlements');
    expect(html.match(/\d Jan 2026/g)).to.deep.equal(['5 Jan 2026', '4 Jan 2026', '3 Jan 2026']);
  });

  it('a payment leads a developer to the tries of its webhooks, and a viewer to none', async () => {
    const charge = await newCharge(stack, {});
    const { id } = await stored(stack, charge);
    const delivery = await addDelivery(stack);
    await stack.sql`update events set subject_id = ${id} where tenant_id = ${stack.tenant.tenant_id}`;
    for (const [role, leads] of [
      ['developer', true],
      ['viewer', false],
    ] as const) {
      const member = await dashboardMember(stack, stack.tenant, role);
      const { html } = await member.get(`/transactions/${charge.reference}`);
      expect(html, role).to.include('Charge failed');
      expect(html.includes(`/developers/deliveries/${delivery}"`), role).to.equal(leads);
    }
  });

  it('what is shown once is gone after a reload, after a minute, and in another session', async () => {
    const owner = await dashboardMember(stack, stack.tenant, 'owner');
    const fields = { csrf: csrfOf(owner), kind: 'secret', idempotency_key: 'once' };
    const keyIn = ({ html }: { html: string }) => /svc_sk_test_\w{36}/.exec(html)?.[0];
    const create = () => owner.post('/developers/keys/new', fields);

    expect((await create()).location).to.equal('/developers');
    expect(keyIn(await owner.get('/developers', UNATTENDED)), 'by itself').to.equal(undefined);
    expect(keyIn(await owner.get('/developers'))).not.to.equal(undefined);
    expect(keyIn(await owner.get('/developers')), 'reloaded').to.equal(undefined);

    await create();
    const other = await dashboardMember(stack, stack.tenant, 'owner');
    const kept = owner.cookies.get('local-shown-once')!;
    other.cookies.set('local-shown-once', kept);
    expect(keyIn(await other.get('/developers')), 'another session').to.equal(undefined);
    stack.clock.advance(MINUTE);
    expect(keyIn(await owner.get('/developers')), 'a minute later').to.equal(undefined);
  });

  it('a link of a mail asks for the mode that it is about, signed in or not, and switches none', async () => {
    const owner = await dashboardMember(stack, stack.tenant, 'owner');
    const id = await addEndpoint(stack);
    await stack.sql`update webhook_endpoints set mode = 'live' where id = ${id}`;
    const path = `/developers/endpoints/${id}`;
    expect((await owner.get(path)).status, 'in test mode').to.equal(404);
    expect((await owner.get(`${path}?mode=live`)).html).to.include('Switch to live mode?');
    expect((await owner.get(path)).status, 'still in test mode').to.equal(404);
    await owner.get(`${path}?mode=live`);
    expect((await owner.submit('/mode')).location).to.equal(path);
    for (const page of [path, `${path}?mode=live`, `${path}?mode=other`]) {
      const { status, html } = await owner.get(page);
      expect(status, page).to.equal(200);
      expect(html).not.to.include('no real money').and.not.include('Switch to');
    }
    const nobody = await dashboardBrowser(stack.context.env.publicUrl).get(`${path}?mode=live`);
    expect(nobody.location).to.equal(`/sign-in?next=${encodeURIComponent(`${path}?mode=live`)}`);
  });

  it('a declined charge is cancelled while its customer may try again, and no later', async () => {
    const owner = await dashboardMember(stack, stack.tenant, 'owner');
    const { reference, checkout_url: checkout } = await newCharge(stack);
    const offered = async () => {
      const { html } = await owner.get(`/transactions/${reference}`);
      return ['Cancel this charge', checkout, 'every 2s'].map((one) => html.includes(one));
    };
    const put = (retrying: boolean) => stack.sql`update charges
      set status = 'failed', failure_cause = 'declined', retrying = ${retrying}
      where number = ${Number(reference.slice(3))}`;
    await put(true);
    expect(await offered(), 'another try').to.deep.equal([true, true, true]);
    await put(false);
    expect(await offered(), 'declined').to.deep.equal([true, true, false]);
    expect((await owner.get(`/transactions/${reference}`)).html).to.include('can try again on');
    const path = `/transactions/${reference}/cancel`;
    expect((await owner.get(path)).html).to.include('its customer can try it no more');
    await owner.post(path, { csrf: csrfOf(owner), idempotency_key: 'declined' });
    expect(await offered(), 'cancelled').to.deep.equal([false, false, false]);
    expect((await owner.get(`/transactions/${reference}`)).html).not.to.include('can try again');
  });

  describe('a page that refreshes itself', () => {
    it('keeps no session from ending, and then goes to the sign-in as a whole', async () => {
      const browser = await dashboardMember(stack, stack.tenant, 'owner');
      stack.clock.advance(HOUR + 30 * MINUTE);
      expect((await browser.get('/refunds', UNATTENDED)).status).to.equal(200);
      stack.clock.advance(HOUR);
      const page = await browser.get('/refunds', UNATTENDED);
      expect(page.headers.get('hx-redirect')).to.equal('/dashboard/sign-in?next=%2Frefunds');
      expect(page.html).to.equal('');
    });

    it('leaves the notice of a form to the page it is for', async () => {
      const browser = await dashboardMember(stack, stack.tenant, 'owner');
      browser.cookies.set('local-notice', 'refund_approved');
      const part = await browser.get('/refunds', UNATTENDED);
      expect(part.html).not.to.include('The refund is approved');
      const page = await browser.get('/refunds');
      expect(page.html).to.include('The refund is approved');
    });
  });

  it('the keys of a business are shown page by page beyond a hundred, each once', async () => {
    const developer = await dashboardMember(stack, stack.tenant, 'developer');
    await stack.sql`insert into api_keys (id, tenant_id, mode, kind, name, sha256, last4, created_at)
     select 'key_' || lpad(n::text, 26, '0'), ${stack.tenant.tenant_id}, 'test', 'secret', 'till ' || n || '.',
       md5(n::text), '0000', now() from generate_series(1, 101) n`;
    const tillsOf = (html: string) => html.match(/till \d+\./g) ?? [];
    const nextOf = (html: string) =>
      /href="[^"]*\/dashboard([^"]*)">Next page</.exec(html)?.[1] ?? undefined;
    const first = await developer.get('/developers');
    expect(first.status).to.equal(200);
    const next = nextOf(first.html);
    expect(next, 'a link to the next page').to.match(/^\/developers\?cursor=/);
    const second = await developer.get(unescaped(next!));
    expect(nextOf(second.html), 'after the last').to.equal(undefined);
    const tills = [...new Set(tillsOf(first.html)), ...new Set(tillsOf(second.html))];
    expect(tills).to.have.lengthOf(101);
    expect(new Set(tills)).to.have.lengthOf(101);
  });

  describe('a form', () => {
    let owner: Member;
    beforeEach(async () => {
      owner = await dashboardMember(stack, stack.tenant, 'owner');
    });

    it('that was opened in test mode changes nothing once another tab switched to live', async () => {
      const csrf = csrfOf(owner, 'test');
      const before = await stack.count('api_keys');
      expect((await owner.post('/mode', { csrf, next: '/developers' })).status).to.equal(303);
      const stale = await owner.post('/developers/keys/new', { csrf, kind: 'secret', name: 'x' });
      expect(stale.status).to.equal(409);
      expect(stale.html).to.include('You switched to live mode');
      expect((await owner.post('/mode', { csrf })).status).to.equal(409);
      expect(await stack.count('api_keys')).to.equal(before);
      expect((await owner.post('/sign-out', { csrf })).status).to.equal(303);
    });

    it('is refused, never answered 5xx, for what no text or path may hold', async () => {
      const csrf = csrfOf(owner);
      const many = Object.fromEntries(Array.from({ length: 1_100 }, (_, n) => [`f${n}`, 'x']));
      const forms: [path: string, fields: Record<string, string>, status: number][] = [
        ['/sign-in', { email: 'a\0b@c.example', password: 'x' }, 401],
        ['/members/%00/remove-authenticator', { csrf }, 404],
        ['/account/sessions/%00/end', { csrf }, 404],
        ['/members', { csrf, ...many }, 413],
      ];
      for (const [path, fields, status] of forms)
        expect((await owner.post(path, fields)).status, path).to.equal(status);
    });

    it('of an endpoint is refused without a single event, which changes nothing', async () => {
      const id = await addEndpoint(stack);
      const fields = {
        csrf: csrfOf(owner),
        url: 'https://shop.example/hooks',
        has_event_types: 'y',
      };
      const page = await owner.post(`/developers/endpoints/${id}`, fields);
      expect(page.status).to.equal(422);
      const [row] = await stack.sql<{ event_types: string[] }>`select event_types
      from webhook_endpoints where id = ${id}`;
      expect(row!.event_types).not.to.deep.equal([]);
    });

    it('leaves no notice but ours', async () => {
      owner.cookies.set('local-notice', 'constructor');
      expect((await owner.get('/refunds')).html).not.to.include('native code');
    });

    it('of the sign-in ends the session that the browser had before', async () => {
      const token = owner.cookies.get('local-session')!;
      await owner.signIn(stack.tenant.owner);
      owner.cookies.set('local-session', token);
      stack.clock.advance(HOUR / 60);
      expect((await owner.get('/transactions')).status).to.equal(303);
    });
  });

  describe('a refund is decided', () => {
    const member = (role: 'owner' | 'developer' | 'viewer') =>
      dashboardMember(stack, stack.tenant, role);

    async function requested(): Promise<{ id: string }> {
      const charge = await newCharge(stack);
      await putCharge(stack, charge, 'succeeded');
      const { reference } = charge;
      const { status, json } = await stack.api.post('/refunds', { reference, reason: 'No fit.' });
      expect(status).to.equal(202);
      return json;
    }

    const approve = (browser: DashboardBrowser, { id }: { id: string }, code?: string) =>
      browser.post(`/refunds/${id}/approve`, {
        csrf: csrfOf(browser),
        ...(code === undefined ? {} : { code }),
      });
    const reject = (browser: DashboardBrowser, { id }: { id: string }) =>
      browser.post(`/refunds/${id}/reject`, { csrf: csrfOf(browser), reason: 'Worn.' });

    it('once, when two people decide at the same time: the other sees that it is decided', async () => {
      const [ada, obi] = [await member('owner'), await member('owner')];
      for (let round = 0; round < 5; round++) {
        const refund = await requested();
        const pages = await Promise.all(
          round % 2
            ? [approve(ada, refund), approve(obi, refund)]
            : [reject(obi, refund), approve(ada, refund)],
        );
        expect(pages.map(({ status }) => status).sort()).to.deep.equal([303, 409]);
        const late = pages.find(({ status }) => status === 409)!;
        const messages = [...late.html.matchAll(/role="alert">([^<]*)</g)].map(([, text]) => text!);
        expect(messages).to.have.lengthOf(1);
        expect(unescaped(messages[0]!)).to.match(/approved|rejected|processing/);
        const decisions = (await auditOf(stack, refund.id)).filter(({ action }) =>
          /approved|rejected/.test(action),
        );
        expect(decisions).to.have.lengthOf(1);
      }
    });

    it('by two Owners, where the business wants two, and says who approved it first', async () => {
      const [ada, obi, viewer] = [
        await member('owner'),
        await member('owner'),
        await member('viewer'),
      ];
      await stack.sql`update tenants set refunds_require_two_owners_above_kobo = 0
        where id = ${stack.tenant.tenant_id}`;
      const refund = await requested();
      const path = `/refunds/${refund.id}`;
      const question = unescaped((await ada.get(`${path}/approve`)).html);
      expect(question).to.include('Nothing is sent before a second Owner approves it, too.');
      const approved = await ada.postAndFollow(`${path}/approve`, { csrf: csrfOf(ada) });
      expect(approved.html).to.include('You approved the refund. It waits for a second Owner.');
      const waits = new RegExp(
        `Approved by ${ada.email} on [^<]*\\. It waits for a second Owner\\.`,
      );
      for (const browser of [ada, obi, viewer])
        for (const view of ['/refunds', path])
          expect(unescaped((await browser.get(view)).html)).to.match(waits);
      expect((await viewer.get('/')).html).to.include('1 refund waits for an Owner');
      const own = await ada.get(path);
      expect(own.html).to.include('You approved this refund.').and.include(`${path}/reject`);
      expect(own.html).not.to.include(`${path}/approve`);
      expect((await ada.get(`${path}/approve`)).status).to.equal(409);
      const asked = unescaped((await obi.get(`${path}/approve`)).html);
      expect(asked).to.include(`<dt>Approved by</dt><dd>${ada.email}`).and.include('called back');
      const decided = await obi.postAndFollow(`${path}/approve`, { csrf: csrfOf(obi) });
      expect(decided.html).to.include('The refund is approved.').and.not.match(waits);
      for (const [term, by] of [
        ['First approved', ada],
        ['Decided', obi],
      ] as const)
        expect(unescaped(decided.html)).to.include(`<dt>${term} by</dt><dd>${by.email}, `);
    });

    it('knowing what is left: what was approved is taken off, what only waits is not', async () => {
      const owner = await member('owner');
      const charge = await newCharge(stack, { amount_kobo: 500_000 });
      await putCharge(stack, charge, 'succeeded');
      const request = async (amount_kobo: number) => {
        const body = { reference: charge.reference, amount_kobo, reason: 'No fit.' };
        return (await stack.api.post('/refunds', body)).json;
      };
      const [first, second] = [await request(120_000), await request(300_000)];
      const leftFor = async ({ id }: { id: string }) => {
        const { html } = await owner.get(`/refunds/${id}`);
        return unescaped(/Still refundable<\/dt><dd class="money">([^<]*)</.exec(html)![1]!);
      };
      expect(await leftFor(second)).to.equal('₦5,000.00');
      expect((await approve(owner, first)).status).to.equal(303);
      expect(await leftFor(second)).to.equal('₦3,800.00');
    });

    it('by a member with an authenticator with a code, when the last is older than 15 minutes', async () => {
      const owner = await member('owner');
      const { code } = await enrolAuthenticator(stack, owner);
      expect((await approve(owner, await requested())).status, 'just enrolled').to.equal(303);
      stack.clock.advance(16 * MINUTE);
      const refund = await requested();
      const question = await owner.get(`/refunds/${refund.id}/approve`);
      expect(question.html).to.include('Authentication code');
      for (const wrong of [undefined, '', '000000', 'abc']) {
        const page = await approve(owner, refund, wrong);
        expect(page.status, wrong).to.equal(422);
        expect(await refundRow(stack, refund)).to.include({ status: 'requested' });
      }
      expect((await reject(owner, await requested())).status, 'a rejection').to.equal(303);
      expect((await approve(owner, refund, code())).status).to.equal(303);
      expect((await approve(owner, await requested())).status, 'soon after').to.equal(303);
      stack.clock.advance(HOUR);
      expect((await approve(owner, await requested(), code())).status, 'later').to.equal(303);
    });
  });
});
