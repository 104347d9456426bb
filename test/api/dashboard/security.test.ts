import { expect } from 'chai';
import { exports } from '../../../api/dashboard/exports/exports.ts';
import type { Form } from '../../../api/dashboard/request.ts';
import { views } from '../../../api/dashboard/views.ts';
import {
  isAllowed,
  type MemberRole,
  memberRoles,
  type Permission,
} from '../../../domain/accounts/roles.ts';
import {
  csrfOf,
  type DashboardBrowser,
  dashboardBrowser,
  dashboardMember,
  type Page,
} from '../../support/dashboard.ts';
import { filledPath, ORDER, PAYER, rowsOfEachKind } from '../../support/dashboard-rows.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { type TestTenant, useStack } from '../../support/stack.ts';

/** Every field of any form, so that what is refused is refused for the member, not for a field. */
const values = {
  email: 'new@member.example',
  role: 'viewer',
  name: 'A name',
  time_zone: 'Africa/Lagos',
  amount: '100.00',
  description: 'Two tickets',
  reason: 'A reason',
  kind: 'secret',
  url: 'http://127.0.0.1:9/hook',
  event_types: 'charge.succeeded',
  since: '2026-01-31T09:00:00Z',
  position: '1',
  provider: 'provider_a',
  code: '123456',
};

describe('The dashboard', () => {
  const stack = useStack({ workers: false });
  let other: TestTenant;
  let own: Record<MemberRole, DashboardBrowser>;
  let stranger: DashboardBrowser;
  let ids: Record<string, string>;
  before(async () => {
    other = await stack.newTenant();
    const member = (role: MemberRole) => dashboardMember(stack, stack.tenant, role);
    const [owner, developer, viewer] = [
      await member('owner'),
      await member('developer'),
      await member('viewer'),
    ];
    own = { owner, developer, viewer };
    stranger = await dashboardMember(stack, other, 'owner');
    ids = await rowsOfEachKind(stack);
  });

  const places = [...views, ...exports.map((file) => ({ ...file, permission: 'read' as const }))];

  const filled = (path: string) => filledPath(path, ids);

  function expectNothingOfOurs({ html }: Page): void {
    for (const mark of [PAYER, ORDER, stack.tenant.tenant_id]) expect(html).not.to.include(mark);
  }

  const submit = (browser: DashboardBrowser, form: Form, csrf = csrfOf(browser)) =>
    browser.post(filled(form.path), { ...values, csrf });

  const permits = (role: MemberRole, permission: Permission | 'any member') =>
    permission === 'any member' || isAllowed(role, permission);

  for (const { path, permission } of places) {
    describe(`GET ${path}`, () => {
      it('leads to the sign-in without a session', async () => {
        const page = await dashboardBrowser(stack.context.env.publicUrl).get(filled(path));
        expect(page.status).to.equal(303);
        expect(page.location).to.match(/^\/sign-in/);
        expectNothingOfOurs(page);
      });

      it('is shown to the roles that may, and to no other', async () => {
        for (const role of memberRoles) {
          const page = await own[role].get(filled(path));
          expect(page.status, role).to.equal(permits(role, permission) ? 200 : 403);
          if (!permits(role, permission)) expectNothingOfOurs(page);
          else if (role === 'viewer' && permission !== 'any member')
            expect(page.html, 'what changes anything').not.to.match(/<main.*<form[^>]*"post"/s);
        }
      });

      it('shows another business, and the other mode, nothing', async () => {
        const page = await stranger.get(filled(path));
        expect(page.status).to.be.oneOf(path.includes(':') ? [404] : [200]);
        expectNothingOfOurs(page);
        const live = await dashboardMember(stack, stack.tenant, 'owner');
        await live.post('/mode', { csrf: csrfOf(live), section: 'overview' });
        const inLive = await live.get(filled(path));
        expect(inLive.status).to.be.oneOf(path.includes(':') ? [404] : [200]);
        for (const mark of [PAYER, ORDER]) expect(inLive.html).not.to.include(mark);
      });
    });
  }

  for (const form of views.flatMap(({ forms }) => forms)) {
    describe(`POST ${form.path}`, () => {
      const refuse = async (browser: DashboardBrowser, csrf?: string) => {
        const page = await writingNothing(stack, () => submit(browser, form, csrf));
        expectNothingOfOurs(page);
        return page.status;
      };

      it('leads to the sign-in without a session', async () => {
        expect(await refuse(dashboardBrowser(stack.context.env.publicUrl), 'none')).to.equal(303);
      });

      it('is refused without the field of this session', async () => {
        for (const csrf of ['', csrfOf(stranger)])
          expect(await refuse(own.owner, csrf)).to.equal(403);
      });

      it('is refused when another site sends it', async () => {
        const fields = { ...values, csrf: csrfOf(own.owner) };
        const foreign = { origin: 'https://evil.example' };
        const send = () => own.owner.post(filled(form.path), fields, foreign);
        expect((await writingNothing(stack, send)).status).to.equal(403);
      });

      for (const role of memberRoles.filter((each) => !permits(each, form.permission)))
        it(`is refused for a ${role}`, async () => {
          expect(await refuse(own[role])).to.equal(403);
        });

      if (form.path.includes(':'))
        it('finds nothing of another business', async () => {
          expect(await refuse(stranger)).to.equal(404);
        });
    });
  }
});
