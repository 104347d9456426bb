import { expect } from 'chai';
import { rateLimits } from '../../config/limits/rate-limits.ts';
import { erasePayer } from '../../domain/payments/commands/erase-payer.ts';
import type { SettlementAccount } from '../../domain/settlements/account/account.ts';
import {
  type Comparison,
  recordDifferences,
} from '../../domain/settlements/discrepancy/record-differences.ts';
import { chargeIdOf } from '../../domain/shared/ids.ts';
import { disableEndpoint } from '../../domain/webhooks/endpoint/disable.ts';
import { auditOf } from '../support/audit.ts';
import { openCharge, paidCharge, stored } from '../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../support/clock.ts';
import { expectRefused } from '../support/contract.ts';
import { csrfOf, dashboardBrowser, dashboardMember } from '../support/dashboard.ts';
import { liveShop } from '../support/live-shop.ts';
import { mailSettings, useMailbox } from '../support/mailbox.ts';
import { memberOf } from '../support/members.ts';
import { newLink } from '../support/payment-links.ts';
import { generousLimits, useStack } from '../support/stack.ts';

/** Finds these payments, of which no notification came. */
const comparisonWith = (found: string[]): Comparison => ({
  differences: `select 'never_notified' as kind, n as subject, null as settlement_id,
    null as line_id, null as charge_id, n as reference, 100::bigint as amount_kobo,
    100::bigint as difference_kobo, '2026-01-05' as day, null::bigint as ours_kobo,
    100::bigint as theirs_kobo, null as other from unnest($2::text[]) n`,
  ...{ scope: 'd.subject = any($2)', values: [found] },
});

const PASSWORD = 'correct horse battery';

describe('A mail', () => {
  const { payerMail, payerMails } = rateLimits;
  const limits = { ...generousLimits, payerMail, payerMails: { ...payerMails, points: 5 } };
  const stack = useStack({ newTenants: true, env: { mail: mailSettings, rateLimits: limits } });
  const mailbox = useMailbox(stack);
  const browser = () => dashboardBrowser(stack.context.env.publicUrl);

  /** The mails since the last look, but for those to businesses of other tests. */
  const arrived = async () => {
    await stack.settle();
    const own = stack.tenant.owner.email;
    return mailbox.mails.splice(0).filter(({ to }) => to === own || !to.startsWith('owner-'));
  };
  const subjects = async () => (await arrived()).map(({ subject }) => subject);
  /** Mails written meanwhile are tried again once it is over. */
  const whileDown = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const { mail } = stack.context;
    stack.context.mail = { send: async () => ({ outcome: 'failed', reason: 'down' }) };
    const result = await work();
    await stack.settle();
    stack.context.mail = mail;
    await stack.pass(2 * MINUTE);
    return result;
  };
  /** Where its button leads. */
  const linkIn = (text: string) => text.match(/http\S+/g)!.at(-1)!;
  const setPassword = (link: string, password = PASSWORD) =>
    fetch(link, { method: 'POST', body: new URLSearchParams({ password }) });
  const signIn = async (email: string, password = PASSWORD) =>
    (await browser().signIn({ email, password })).status;

  it('invites a member, whose link sets a password', async () => {
    const owner = await memberOf(stack, stack.tenant, 'owner');
    const email = 'ada@test.example';
    await owner.api.post('/members', { email, role: 'viewer' });
    const [mail, ...others] = await arrived();
    expect(others).to.deep.equal([]);
    expect(mail).to.include({ to: email, subject: 'You are invited to Test Store' });
    expect(mail!.text.replaceAll(/\s+/g, ' ')).to.include(`sign in as ${email}. You are a viewer.`);
    expect((await setPassword(linkIn(mail!.text))).status).to.equal(200);
    expect(await signIn(email)).to.equal(303);
    expect(await subjects(), 'a first password is no change').to.deep.equal([]);
  });

  it('that invites is followed on the Members page, and sent again from there', async () => {
    const owner = await dashboardMember(stack, stack.tenant, 'owner');
    const server = stack.context.mail;
    const followed = async (by = owner) => {
      await stack.settle();
      const { html } = await by.get('/members');
      return /<div class="small text-(?:secondary|danger)">([^<]*)</.exec(html)?.[1];
    };
    const again = async () => {
      const [, path] = /(\/members\/mem_\w+\/link)"(?:.(?!<\/form>))*Invite again/s.exec(
        (await owner.get('/members')).html,
      )!;
      const { html } = await owner.postAndFollow(path!, { csrf: csrfOf(owner) });
      expect(html).to.include('This address is mailed to <strong>ada@test.example</strong>.');
    };
    stack.context.mail = { send: async () => ({ outcome: 'failed', reason: 'down' }) };
    const invited = { email: 'ada@test.example', name: '', role: 'viewer' };
    await owner.post('/members', { csrf: csrfOf(owner), ...invited });
    expect(await followed()).to.equal('Waits to be mailed');
    stack.context.mail = { send: async () => ({ outcome: 'refused', reason: 'no such user' }) };
    await again();
    expect(await followed()).to.equal('The mail server refused it');
    stack.context.mail = server;
    await again();
    expect(await followed()).to.match(/^Mailed on \d+ \w+ \d{4}, \d\d:\d\d$/);
    expect(await subjects()).to.deep.equal(['You are invited to Test Store']);
    stack.clock.advance(DAY);
    const later = await dashboardMember(stack, stack.tenant, 'owner');
    expect(await followed(later)).to.match(/^Mailed on .*; the link has expired$/);
  });

  it('brings no link that is void, or was used, before the mail went out', async () => {
    const owner = await memberOf(stack, stack.tenant, 'owner');
    const body = { email: 'ada@test.example', role: 'viewer' };
    const again = await whileDown(async () => {
      const { json } = await owner.api.post('/members', body);
      return (await owner.api.post(`/members/${json.id}/set-password-link`)).json;
    });
    const links = (await arrived()).map(({ text }) => linkIn(text));
    expect(links).to.deep.equal([again.set_password_url]);
    await whileDown(async () => {
      const { json } = await owner.api.post(`/members/${again.id}/set-password-link`);
      expect((await setPassword(json.set_password_url)).status).to.equal(200);
    });
    expect(await subjects()).to.deep.equal([]);
  });

  it('brings who forgot a password a link for an hour, and tells of the change', async () => {
    const { email } = stack.tenant.owner;
    const ask = async (address: string) => {
      const rows = "mails where kind = 'forgotten_password'";
      const before = await stack.count(rows);
      const page = await browser().post('/forgotten-password', { email: address });
      expect(page.status).to.equal(200);
      expect(await stack.count(rows), 'is kept before the answer').to.equal(before + 1);
      await stack.settle();
      return page.html.replaceAll(address, '');
    };
    const known = await ask(email);
    const unknown = await ask(email.replace('owner', 'nobody'));
    expect(unknown, 'says the same of an address that nobody has').to.equal(known);
    await ask(email);
    const [first, second, ...others] = await arrived();
    expect(others).to.deep.equal([]);
    stack.clock.advance(HOUR - MINUTE);
    expect((await setPassword(linkIn(first!.text))).status, 'the first still works').to.equal(200);
    expect((await setPassword(linkIn(second!.text))).status).to.equal(410);
    expect(await signIn(email)).to.equal(303);
    expect(await subjects()).to.deep.equal(['Your password for Test Store was changed']);
    await ask(email);
    const [late] = await arrived();
    stack.clock.advance(HOUR);
    expect((await setPassword(linkIn(late!.text))).status).to.equal(410);
  });

  it('tells Owners of refunds that wait: of the first at once, then once a day', async () => {
    const { reference } = await paidCharge(stack);
    await memberOf(stack, stack.tenant, 'developer');
    const request = () =>
      stack.api.post('/refunds', { reference, amount_kobo: 10_000, reason: 'Wrong size' });
    const decide = async () => {
      const owner = await memberOf(stack, stack.tenant, 'owner');
      const { json } = await owner.api.get<{ data: { id: string }[] }>('/refunds?status=requested');
      for (const { id } of json.data)
        await owner.api.post(`/refunds/${id}/reject`, { reason: 'No' });
    };
    await request();
    const [mail] = await arrived();
    expect(mail).to.include({
      to: stack.tenant.owner.email,
      subject: '1 refund waits for approval at Test Store (test mode)',
    });
    expect(mail!.text).to.include(`${reference}: ₦100.00, requested on`);
    const transaction = `/dashboard/transactions/${reference}?mode=test`;
    for (const said of [mail!.text, mail!.html]) expect(said).to.include(transaction);
    expect(linkIn(mail!.text)).to.match(/\/dashboard\/refunds\?mode=test$/);
    await request();
    expect(await subjects(), 'while the first waits').to.deep.equal([]);
    await stack.pass(DAY);
    const daily = '2 refunds wait for approval at Test Store (test mode)';
    expect(await subjects()).to.deep.equal([daily]);
    await decide();
    await request();
    expect(await subjects(), 'the first again').to.deep.equal([mail!.subject]);
    await decide();
    await stack.pass(2 * DAY);
    expect(await subjects(), 'nothing waits').to.deep.equal([]);
  });

  it('tells Owners of a refund that waits for a second Owner who approved it first', async () => {
    const { reference } = await paidCharge(stack);
    const body = { reference, amount_kobo: 10_000, reason: 'Wrong size' };
    const { json } = await stack.api.post('/refunds', body);
    await arrived();
    const first = await memberOf(stack, stack.tenant, 'owner');
    await stack.sql`update members set password_hash = 'none', name = 'Bola'
      where id = ${first.memberId}`;
    await stack.sql`update tenants set refunds_require_two_owners_above_kobo = 0
      where id = ${stack.tenant.tenant_id}`;
    await first.api.post(`/refunds/${json.id}/approve`);
    await stack.pass(DAY);
    const [mail] = await arrived();
    expect(mail!.text.replaceAll(/\s+/g, ' ')).to.match(
      /₦100\.00, requested on .*; approved by Bola \(.*\), waits for a second Owner/,
    );
  });

  it('tells of discrepancies once a day, and only where there are new ones', async () => {
    const { tenant_id } = stack.tenant;
    const [account] = await stack.sql<SettlementAccount>`select * from connections
      where tenant_id = ${tenant_id} and slot = 'provider_a'`;
    const differ = (...found: string[]) =>
      stack.context.inTx((tx) => recordDifferences(tx, account!, comparisonWith(found)));
    await differ('one');
    const [mail] = await arrived();
    expect(linkIn(mail!.text)).to.match(/\/dashboard\/discrepancies\?mode=test$/);
    expect(mail!.subject).to.equal('1 discrepancy is open at Test Store (test mode)');
    await differ('one', 'two');
    await differ('one', 'two', 'three');
    expect(await subjects(), 'the same day').to.deep.equal([]);
    await stack.pass(DAY);
    expect(await subjects()).to.deep.equal(['3 discrepancies are open at Test Store (test mode)']);
    await stack.pass(2 * DAY);
    expect(await subjects(), 'nothing new').to.deep.equal([]);
  });

  it('tells developers of an endpoint that was disabled, unless a person did it', async () => {
    const [endpoint] = await stack.sql`select id, url from webhook_endpoints
      where tenant_id = ${stack.tenant.tenant_id}`;
    const disable = (reason: 'gone' | 'by_hand') =>
      stack.context.inTx((tx) => disableEndpoint(tx, endpoint.id, reason));
    await disable('gone');
    await disable('gone');
    const [mail, ...others] = await arrived();
    expect(others).to.deep.equal([]);
    expect(mail!.text).to.include(endpoint.url).and.include('410 Gone');
    expect(mail!.text).to.include(`/dashboard/developers/endpoints/${endpoint.id}?mode=test`);
    await stack.sql`update webhook_endpoints set status = 'enabled' where id = ${endpoint.id}`;
    await disable('by_hand');
    expect(await subjects()).to.deep.equal([]);
  });

  describe('to a payer', () => {
    const asks = (given: { receipts?: boolean; links?: boolean }) =>
      stack.sql`update tenants set sends_receipts = ${given.receipts ?? false},
        sends_payment_links = ${given.links ?? false}, support_email = 'help@shop.example'
        where id = ${stack.tenant.tenant_id}`;
    const customer = { email: 'bola@payer.example', name: 'Bola' };

    it('is a receipt where the business asks for it, once', async () => {
      const shop = await liveShop(stack);
      await asks({ links: true });
      await paidCharge(shop);
      expect(await subjects(), 'not asked for').to.deep.equal([]);
      await asks({ receipts: true });
      const { reference } = await paidCharge(shop, { email: customer.email });
      const [mail, ...others] = await arrived();
      expect(others).to.deep.equal([]);
      expect(mail).to.include({
        from: 'Test Store <payments@service.example>',
        reply_to: 'help@shop.example',
        to: customer.email,
        subject: 'Receipt from Test Store: ₦1,000.00',
      });
      expect(mail!.text).to.include(`Reference: ${reference}`);
    });

    it('is a payment link, and one reminder while it is not paid', async () => {
      const shop = await liveShop(stack);
      await newLink(shop, { customer });
      expect(await subjects(), 'not asked for').to.deep.equal([]);
      await asks({ links: true });
      const { url } = await newLink(shop, { customer });
      const { id } = await newLink(shop, { customer });
      await newLink(shop, { customer: { name: 'Bola' } });
      const mails = await arrived();
      const first = 'Test Store: please pay ₦12,500.50';
      expect(mails.map(({ subject }) => subject)).to.deep.equal([first, first]);
      expect(mails.map(({ text }) => linkIn(text))).to.include(url);
      await shop.api.post(`/payment-links/${id}/disable`);
      await stack.pass(3 * DAY);
      expect(await subjects()).to.deep.equal(['Reminder from Test Store: please pay ₦12,500.50']);
      await stack.pass(7 * DAY);
      expect(await subjects()).to.deep.equal([]);
    });

    it('is the receipt again, where support asks for it, three times within a day', async () => {
      const shop = await liveShop(stack);
      const { reference } = await paidCharge(shop, { email: customer.email });
      const { api } = await memberOf(stack, stack.tenant, 'support', 'live');
      const again = () => api.post(`/charges/${reference}/mail`);
      for (let times = 0; times < 3; times++) expect((await again()).status).to.equal(202);
      const refused = await again();
      expectRefused(refused, 'rate_limited');
      expect(refused.json.error.message).to.include('Mail it again tomorrow');
      const mails = await arrived();
      expect(mails.map(({ to, subject }) => [to, subject])).to.deep.equal(
        Array(3).fill([customer.email, 'Receipt from Test Store: ₦1,000.00']),
      );
      const { id } = await stored(stack, { reference });
      const entries = await auditOf(stack, id);
      expect(entries.map(({ action, detail }) => [action, detail])).to.deep.equal(
        Array(3).fill(['charge.mailed', `${reference}: receipt`]),
      );
    });

    it('is where to pay, where support asks for it, while somebody can', async () => {
      const shop = await liveShop(stack);
      const charge = await openCharge(shop, { email: customer.email, description: 'Hat' });
      const link = await newLink(shop, { customer });
      const { api } = await memberOf(stack, stack.tenant, 'support', 'live');
      const paths = [`/charges/${charge.reference}/mail`, `/payment-links/${link.id}/mail`];
      for (const path of paths) expect((await api.post(path)).status).to.equal(202);
      const mails = await arrived();
      expect(
        mails.map(({ to, subject, text }) => [to, subject, linkIn(text)]),
      ).to.have.deep.members([
        [customer.email, 'Test Store: please pay ₦1,000.00', charge.checkout_url],
        [customer.email, 'Test Store: please pay ₦12,500.50', link.url],
      ]);
      await whileDown(async () => {
        for (const path of paths) await api.post(path);
        await shop.api.post(`/charges/${charge.reference}/cancel`);
        await shop.api.post(`/payment-links/${link.id}/disable`);
      });
      expect(await subjects(), 'cancelled before it went out').to.deep.equal([]);
      for (const path of paths) expectRefused(await api.post(path), 'invalid_state');
    });

    it('waits where the business has mailed as many as a day allows, and alone', async () => {
      const shop = await liveShop(stack);
      await asks({ links: true });
      for (let links = 0; links < 7; links++) await newLink(shop, { customer });
      const owner = await memberOf(stack, stack.tenant, 'owner');
      await owner.api.post('/members', { email: 'ada@test.example', role: 'viewer' });
      const sent = await subjects();
      const invitation = 'You are invited to Test Store';
      expect(sent.filter((subject) => subject !== invitation)).to.have.length(5);
      expect(sent).to.include(invitation);
      const waiting = () => stack.sql`select snoozes, due_at from mails
        where tenant_id = ${stack.tenant.tenant_id} and tries > 0 and due_at is not null`;
      const rows = await waiting();
      expect(rows).to.have.length(2);
      for (const { snoozes, due_at } of rows) {
        expect(snoozes).to.equal(1);
        expect(due_at.getTime() - stack.clock().getTime()).to.be.within(DAY - HOUR, DAY);
      }
      await stack.pass(DAY);
      expect(await subjects(), 'the day of the limit goes on').to.deep.equal([]);
      const { limits: counted } = stack.context;
      await counted.giveBack('payerMails', stack.tenant.tenant_id);
      await stack.pass(DAY);
      expect(await subjects()).to.have.length(1);
      expect(await waiting()).to.have.length(1);
    });

    it('takes nothing of what a day allows where it does not go out', async () => {
      const shop = await liveShop(stack);
      await asks({ links: true });
      await whileDown(async () => {
        for (let links = 0; links < 5; links++) await newLink(shop, { customer });
      });
      expect(await subjects()).to.have.length(5);
    });

    it('is none in test mode', async () => {
      await asks({ receipts: true, links: true });
      await paidCharge(stack);
      await newLink(stack, { customer });
      await stack.pass(4 * DAY);
      expect(await subjects()).to.deep.equal([]);
      const insert = stack.sql`insert into mails (id, tenant_id, mode, kind, subject_id, status,
        expires_at, created_at) values ('eml', 'ten', 'test', 'receipt', 'txn', 'pending', now(), now())`;
      expect(await insert.then(String, ({ constraint }) => constraint)).to.equal('mails_check');
    });

    it('is no receipt where the money went back before it went out', async () => {
      const shop = await liveShop(stack);
      await asks({ receipts: true });
      await whileDown(async () => {
        const { reference } = await paidCharge(shop);
        await stack.sql`update charges set status = 'refunded', refunded_kobo = amount_kobo
          where number = ${Number(reference.slice(3))}`;
      });
      expect(await subjects()).to.deep.equal([]);
    });

    it('is none where the payer was erased before it went out', async () => {
      const shop = await liveShop(stack);
      await asks({ receipts: true });
      await whileDown(async () => {
        const { id } = await paidCharge(shop);
        const { tenant_id } = stack.tenant;
        await stack.context.inTx((tx) =>
          erasePayer(tx, tenant_id, { actor: 'operator', chargeIds: [chargeIdOf(id)!] }),
        );
      });
      expect(await subjects()).to.deep.equal([]);
      const [row] = await stack.sql`select status from mails
        where tenant_id = ${stack.tenant.tenant_id}`;
      expect(row.status).to.equal('cancelled');
    });
  });
});
