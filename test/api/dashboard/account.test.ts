import { expect } from 'chai';
import { clientOf } from '../../../api/dashboard/account/sessions.ts';
import { auditOf } from '../../support/audit.ts';
import { MINUTE } from '../../support/clock.ts';
import {
  csrfOf,
  type DashboardBrowser,
  dashboardBrowser,
  dashboardMember,
} from '../../support/dashboard.ts';
import {
  type Authenticator,
  enrolAtSignIn,
  enrolAuthenticator,
} from '../../support/dashboard-authenticator.ts';
import { filledPath, rowsOfEachKind } from '../../support/dashboard-rows.ts';
import { useStack } from '../../support/stack.ts';
import { signIn } from '../../support/tokens.ts';

describe('An account in the dashboard', () => {
  const stack = useStack({ workers: false, newTenants: true, books: false });

  const newBrowser = () => dashboardBrowser(stack.context.env.publicUrl);
  const signedIn = async (): Promise<DashboardBrowser> => {
    const browser = newBrowser();
    await browser.signIn(stack.tenant.owner);
    return browser;
  };
  const isSignedIn = async (who: DashboardBrowser) =>
    (await who.get('/transactions')).status === 200;
  const sessionsOf = ({ html }: { html: string }) => [
    ...html.matchAll(/action="[^"]*\/account\/sessions\/(\w+)\/end/g),
  ];
  const demandSecondFactor = () =>
    stack.sql`update tenants set requires_second_factor = true where id = ${stack.tenant.tenant_id}`;

  it('lists its sessions, also of apps, and ends another at once', async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    const app = await signIn(stack, stack.tenant.owner);
    const useApp = () => stack.api.get('/transactions', { key: app.access_token });
    expect((await useApp()).status).to.equal(200);
    const listed = sessionsOf(await here.get('/account'));
    expect(listed, 'newest first, its own last').to.have.lengthOf(3);
    const others = listed.slice(0, 2);
    for (const [, id] of others) {
      expect((await here.get(`/account/sessions/${id}/end`)).html).to.include('End this session?');
      const page = await here.post(`/account/sessions/${id}/end`, { csrf: csrfOf(here) });
      expect(page.status).to.equal(303);
      expect((await auditOf(stack, id!)).map(({ action }) => action)).to.include(
        'member.signed_out',
      );
    }
    expect(await isSignedIn(there)).to.equal(false);
    expect((await useApp()).status).to.equal(401);
    expect(await isSignedIn(here)).to.equal(true);
    expect(sessionsOf(await here.get('/account'))).to.have.lengthOf(1);
  });

  it('names browsers as people know them', () => {
    const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
    expect(clientOf(`Mozilla/5.0 (X11; Linux x86_64) ${chrome}`)).to.equal('Chrome on Linux');
    expect(clientOf(null)).to.equal('An app, through the API');
    expect(clientOf('')).to.equal('Unknown');
    expect(clientOf('something-else/1.0')).to.equal('something-else/1.0');
  });

  it('changes its password by the present one, which ends every other session', async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    const { email, password } = stack.tenant.owner;
    const change = async (present: string, next: string) => {
      await here.get('/account');
      return here.submit('/account/password', { password: present, new_password: next });
    };
    const next = 'correct horse battery';
    const wrong = await change('not my password', next);
    expect(wrong.status).to.equal(422);
    expect(wrong.html).not.to.include(next);
    expect((await change(password, 'too short')).status).to.equal(422);
    expect(await isSignedIn(there)).to.equal(true);
    expect((await change(password, next)).status).to.equal(303);
    expect(await isSignedIn(here)).to.equal(true);
    expect(await isSignedIn(there)).to.equal(false);
    expect((await newBrowser().signIn({ email, password: next })).status).to.equal(303);
  });

  it('ends no session of another member', async () => {
    const owner = await signedIn();
    await signedIn();
    const [, id] = sessionsOf(await owner.get('/account'))[0]!;
    const colleague = await dashboardMember(stack, stack.tenant, 'owner');
    const page = await colleague.post(`/account/sessions/${id}/end`, { csrf: csrfOf(colleague) });
    expect(page.status).to.equal(404);
    expect((await colleague.get(`/account/sessions/${id}/end`)).status).to.equal(404);
  });

  it('loses its authenticator by an Owner, on record, and signs in by password again', async () => {
    await enrolAuthenticator(stack, await signedIn());
    const asked = await newBrowser().signIn(stack.tenant.owner);
    expect(asked.location).to.equal('/sign-in/code');
    const [member] = await stack.sql<{ id: string }>`select id from members
      where email = ${stack.tenant.owner.email}`;
    const owner = await dashboardMember(stack, stack.tenant, 'owner');
    const remove = (who: DashboardBrowser) =>
      who.post(`/members/${member!.id}/remove-authenticator`, { csrf: csrfOf(who) });
    const stranger = await dashboardMember(stack, await stack.newTenant(), 'owner');
    expect((await remove(stranger)).status).to.equal(404);
    expect((await remove(owner)).status).to.equal(303);
    expect((await auditOf(stack, member!.id)).map(({ action }) => action)).to.include(
      'member.second_factor_removed',
    );
    expect((await newBrowser().signIn(stack.tenant.owner)).location).to.equal('/');
    const codes = await stack.sql`select 1 from recovery_codes where member_id = ${member!.id}`;
    expect(codes).to.deep.equal([]);
  });

  it('removes its own authenticator with a code, unless the business demands one', async () => {
    const owner = await signedIn();
    const { code } = await enrolAuthenticator(stack, owner);
    stack.clock.advance(16 * MINUTE);
    const remove = (given: string) =>
      owner.post('/account/authenticator/remove', { csrf: csrfOf(owner), code: given });
    expect((await remove('000000')).status).to.equal(422);
    await demandSecondFactor();
    expect((await remove(code())).status).to.equal(409);
    await stack.sql`update tenants set requires_second_factor = false`;
    expect((await remove(code())).status).to.equal(303);
  });

  it('is held up at once when an Owner demands a second factor of everybody, and goes on once an authenticator is enrolled', async () => {
    const [without, enrolled] = [
      await signedIn(),
      await dashboardMember(stack, stack.tenant, 'owner'),
    ];
    await enrolAuthenticator(stack, enrolled);
    const fields = { name: 'Ada Shoes', time_zone: 'Africa/Lagos', requires_second_factor: 'yes' };
    const changed = await enrolled.post('/business', { csrf: csrfOf(enrolled), ...fields });
    expect(changed.status, changed.html).to.equal(303);
    expect((await newBrowser().signIn(stack.tenant.owner)).location).to.equal('/sign-in/enrol');
    expect(await isSignedIn(enrolled)).to.equal(true);
    expect((await without.get('/transactions')).location).to.match(/^.sign-in.enrol/);
    await enrolAtSignIn(stack, without);
    expect(await isSignedIn(without)).to.equal(true);
  });

  describe('of an Owner whose last code was given long ago', () => {
    let owner: Awaited<ReturnType<typeof dashboardMember>>;
    let authenticator: Authenticator;
    let ids: Record<string, string>;
    beforeEach(async () => {
      ids = await rowsOfEachKind(stack);
      owner = await dashboardMember(stack, stack.tenant, 'owner');
      authenticator = await enrolAuthenticator(stack, owner);
      stack.clock.advance(16 * MINUTE);
    });

    const post = (
      path: string,
      fields: Record<string, string> = {},
      who: DashboardBrowser = owner,
    ) => who.post(path, { csrf: csrfOf(who), ...fields });
    const invitation = { email: 'puppet@shop.example', role: 'owner', name: 'Pu “Ppet”' };

    /** What sends money, or would let somebody at this browser send it without a code. */
    const sensitive = (): [path: string, fields: Record<string, string>][] => [
      ['/members', invitation],
      [`/members/${owner.memberId}/role`, { role: 'viewer' }],
      [`/members/${owner.memberId}/disable`, {}],
      [`/members/${owner.memberId}/link`, {}],
      [`/members/${owner.memberId}/remove-authenticator`, {}],
      ['/business', { name: 'Other', time_zone: 'Africa/Lagos' }],
      ['/providers', { provider: 'paystack', secret_key: 'x' }],
      [filledPath('/providers/:id/disable', ids), {}],
      [filledPath('/refunds/:id/approve', ids), {}],
      [filledPath('/reviews/:id/return', ids), { note: 'Agreed.' }],
      ['/account/authenticator/remove', {}],
    ];

    it('is asked for a code before money is sent, and before anything changes that decides who may', async () => {
      for (const [path, fields] of sensitive()) {
        for (const code of [undefined, '000000']) {
          const page = await post(path, { ...fields, ...(code ? { code } : {}) });
          expect(page.status, path).to.equal(422);
          expect(page.html, path).to.include('name="code"');
        }
      }
      const changed = `(email like 'puppet%' or (role = 'viewer' and id = '${owner.memberId}'))`;
      const own = `tenant_id = '${stack.tenant.tenant_id}'`;
      expect(await stack.count(`members where ${own} and ${changed}`)).to.equal(0);
    });

    it('goes on with the code where the form was, and is not asked again', async () => {
      const asked = await post('/members', invitation);
      const hidden = [...asked.html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
      expect(hidden.map(([, name]) => name)).to.include.members(['email', 'role', 'name']);
      const sent = { csrf: csrfOf(owner), ...invitation, code: authenticator.code() };
      const done = await owner.postAndFollow('/members', sent);
      expect(done.status, done.html).to.equal(200);
      expect(done.html).to.include('/set-password/');
      const next = await post('/members', { ...invitation, email: 'b@shop.example' });
      expect(next.location).to.equal('/members');
    });

    it('waits for another authenticator after removing the own one where the business demands it', async () => {
      await demandSecondFactor();
      const removed = await post(`/members/${owner.memberId}/remove-authenticator`, {
        code: authenticator.code(),
      });
      expect(removed.status).to.equal(303);
      expect((await owner.get('/transactions')).location).to.match(/^.sign-in.enrol/);
    });
  });
});
