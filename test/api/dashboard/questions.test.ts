import { expect } from 'chai';
import type { Form } from '../../../api/dashboard/request.ts';
import { views } from '../../../api/dashboard/views.ts';
import { DAY } from '../../support/clock.ts';
import { csrfOf, type DashboardBrowser, dashboardMember } from '../../support/dashboard.ts';
import { filledPath, isLiveOnly, rowsOfEachKind, shownAt } from '../../support/dashboard-rows.ts';
import { unescaped } from '../../support/html.ts';
import { addReview } from '../../support/reviews.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

/** What moves money, cuts somebody off or cannot be undone, and what its question names. */
const asking: Record<string, string[]> = {
  '/transactions/:reference/refund': ['₦500.00', 'ada@payer.example', 'An Owner decides'],
  '/transactions/:reference/cancel': ['₦500.00', 'ada@payer.example', 'can pay it no more'],
  '/refunds/:id/approve': ['₦500.00', 'ada@payer.example', 'No fit.', 'cannot be called back'],
  '/refunds/:id/reject': ['₦500.00', 'ada@payer.example', 'No fit.', 'Nothing is sent'],
  '/payment-links/:id/disable': ['₦500.00', 'Tickets', 'ada@payer.example', 'Nobody can pay'],
  '/discrepancies/:id/close': ['₦', 'It is not opened again'],
  '/reviews/:id/accept': ['₦1,000.00', 'payer@example.com', 'You keep the second payment'],
  '/reviews/:id/return': ['₦1,000.00', 'payer@example.com', 'cannot be called back'],
  '/disputes/:id/accept': ['₦1,000.00', 'payer@example.com', 'gives the money back'],
  '/developers/keys/new': ['shown once, and never again', 'Secret, for your server'],
  '/developers/keys/:id/rotate': ['…', 'Both work until the time you choose'],
  '/developers/keys/:id/revoke': ['…', 'It is refused with the next request'],
  '/developers/endpoints/:id/disable': ['http', 'Nothing is sent to it until it is enabled'],
  '/developers/endpoints/:id/delete': ['http', 'cannot be brought back'],
  '/developers/endpoints/:id/rotate-secret': ['http', 'signs as well for 24 hours'],
  '/providers/:id/disable': ['provider_', 'No new payment goes through it'],
  '/members/:id/role': ['@', 'from their next request on'],
  '/members/:id/disable': ['@', 'signed out everywhere at once'],
  '/members/:id/remove-authenticator': ['@', 'Their password alone signs them in'],
  '/members/:id/sessions/:session/end': ['@', 'An app, through the API', 'signed out at once'],
  '/account/sessions/:id/end': ['An app, through the API', 'signed out at once'],
  '/account/authenticator/remove': ['@', 'Your password alone signs you in'],
};

const isAskedHere = (form: Form) => form.ask && !isLiveOnly(form);

describe('What moves money, cuts somebody off or cannot be undone', () => {
  const stack = useStack({ workers: false, newTenants: true, books: false });
  let owner: DashboardBrowser;
  let ids: Record<string, string>;
  beforeEach(async () => {
    const { memberId, ...browser } = await dashboardMember(stack, stack.tenant, 'owner');
    owner = browser;
    ids = await rowsOfEachKind(stack);
    await stack.sql`update members set totp_enrolled_at = ${stack.clock()}
      where tenant_id = ${stack.tenant.tenant_id} and id <> ${memberId}`;
    await stack.sql`update token_families set member_id = ${memberId} where id = ${ids['account id']!}`;
    await stack.sql`update members set totp_enrolled_at = null where id = ${memberId}`;
  });

  const filled = (path: string) => filledPath(path, ids);
  const openerOf = (html: string, path: string) =>
    new RegExp(`<form action="[^"]*${path}" hx-get="[^"]*${path}" hx-target="#dialog"`).test(html);
  const postedTo = ({ html }: { html: string }, path: string) =>
    new RegExp(`<form[^>]*method="post"[^>]*action="[^"]*${path}"`).test(html);

  it('asks first, naming what it is about and what follows, and changes nothing by asking', async () => {
    const asks = views.flatMap((view) => view.forms.filter(isAskedHere));
    expect(asks.map(({ path }) => path)).to.have.members(Object.keys(asking));
    await writingNothing(stack, async () => {
      for (const view of views)
        for (const { path } of view.forms.filter(isAskedHere)) {
          const shown = await owner.get(shownAt(view, path, ids));
          expect(postedTo(shown, filled(path)), `${path} acts at one click`).to.equal(false);
          if (path !== '/account/authenticator/remove')
            expect(openerOf(shown.html, filled(path)), `${path} is offered`).to.equal(true);
          const question = await owner.get(filled(path));
          expect(question.status, path).to.equal(200);
          expect(postedTo(question, filled(path)), path).to.equal(true);
          expect(
            question.html.match(/<button[^>]*>(Confirm|Create key)<\/button>/g),
            path,
          ).to.have.lengthOf(1);
          for (const words of asking[path]!)
            expect(unescaped(question.html), path).to.include(words);
        }
    });
  });

  it('asks no more about what was decided or ended, but says so', async () => {
    const csrf = csrfOf(owner);
    const ends: [path: string, fields: Record<string, string>][] = [
      ['/refunds/:id/reject', { reason: 'Worn.' }],
      ['/reviews/:id/accept', { note: 'Agreed.' }],
      ['/disputes/:id/accept', { note: 'Lost.' }],
      ['/payment-links/:id/disable', {}],
      ['/discrepancies/:id/close', { reason: 'A fee.' }],
      ['/providers/:id/disable', {}],
    ];
    for (const [path, fields] of ends) {
      expect((await owner.post(filled(path), { csrf, ...fields })).status, path).to.equal(303);
      expect((await owner.get(filled(path))).status, path).to.equal(409);
    }
  });

  it('is not offered where it would be refused, and the page says why', async () => {
    const sent = await addReview(stack);
    await stack.sql`insert into disputes (id, tenant_id, mode, charge_id, capture_id, connection_id,
        amount_kobo, status, entered_by, opened_at)
      select 'dsp_of_payment', c.tenant_id, c.mode, c.id, k.id, k.connection_id, 100000, 'lost',
        'provider', now()
      from reviews r join captures k on k.id = r.capture_id join charges c on c.id = r.charge_id
      where r.id = ${sent}`;
    const offers = {
      [await addReview(stack)]: ['accept', 'return'],
      [sent]: ['accept'],
      [await addReview(stack, 'refund_reversed')]: ['accept'],
    };
    const why = ['There is nothing left to return', 'request another refund of the charge'];
    const { html } = await owner.get('/reviews');
    for (const [id, offered] of Object.entries(offers))
      for (const decision of ['accept', 'return']) {
        const path = `/reviews/${id}/${decision}`;
        const isOffered = offered.includes(decision);
        expect(html.includes(`action="/dashboard${path}"`), path).to.equal(isOffered);
        expect((await owner.get(path)).status, path).to.equal(isOffered ? 200 : 409);
      }
    for (const words of why) expect(unescaped(html)).to.include(words);
    expect(html).not.to.include('POST /');
  });

  for (const [path, field] of [
    ['/reviews/:id/accept', 'note'],
    ['/reviews/:id/return', 'note'],
    ['/refunds/:id/reject', 'reason'],
  ] as const)
    it(`wants a ${field} where a person's word decides: ${path}`, async () => {
      for (const given of ['', '  ']) {
        const fields = { csrf: csrfOf(owner), [field]: given, paid_from: 'bank' };
        const again = await owner.post(filled(path), fields);
        expect(again.status).to.equal(422);
        expect(again.html).to.match(/is needed\./);
        if (path.endsWith('return'))
          expect(again.html).to.include('<option value="bank" selected>');
      }
      const [open] = await stack.sql<{ n: number }>`select
        (select count(*) from reviews where status = 'open' and id = ${ids['reviews id']!}) +
        (select count(*) from refunds where status = 'requested' and id = ${ids['refunds id']!}) as n`;
      expect(Number(open!.n)).to.equal(2);
    });

  it('wants the name of a key typed that was used within a week, and of no other', async () => {
    const path = filled('/developers/keys/:id/revoke');
    const id = ids['developers/keys/:id/revoke id']!;
    const use = (at: Date) =>
      stack.sql`update api_keys set name = 'Web shop', last_used_at = ${at} where id = ${id}`;
    await use(stack.clock());
    expect(unescaped((await owner.get(path)).html)).to.include('Type “Web shop” to revoke it');
    for (const typed of ['', 'web', 'Web shops'])
      expect((await owner.post(path, { csrf: csrfOf(owner), typed })).status).to.equal(422);
    expect(await stack.count(`api_keys where revoked_at is not null and id = '${id}'`)).to.equal(0);
    await use(new Date(stack.clock().getTime() - 8 * DAY));
    expect((await owner.get(path)).html).not.to.include('Type “Web shop”');
    expect((await owner.post(path, { csrf: csrfOf(owner) })).status).to.equal(303);
    expect(await stack.count(`api_keys where revoked_at is not null and id = '${id}'`)).to.equal(1);
  });
});
