import { expect } from 'chai';
import { HOUR, MINUTE } from '../../support/clock.ts';
import { csrfOf, type DashboardBrowser, dashboardMember } from '../../support/dashboard.ts';
import { type Authenticator, enrolAuthenticator } from '../../support/dashboard-authenticator.ts';
import { addEndpoint } from '../../support/deliveries.ts';
import { type TestTenant, useStack } from '../../support/stack.ts';

type Member = Awaited<ReturnType<typeof dashboardMember>>;

describe('An Owner whose last code was given long ago', () => {
  const stack = useStack({ workers: false });
  let tenant: TestTenant;
  let owner: Member;
  let authenticator: Authenticator;
  beforeEach(async () => {
    tenant = await stack.newTenant();
    owner = await dashboardMember(stack, tenant, 'owner');
    authenticator = await enrolAuthenticator(stack, owner);
    stack.clock.advance(16 * MINUTE);
  });

  const post = (path: string, fields: Record<string, string> = {}, who: DashboardBrowser = owner) =>
    who.post(path, { csrf: csrfOf(who), ...fields });
  const invitation = { email: 'puppet@shop.example', role: 'owner', name: 'Pu “Ppet”' };

  /** What sends money, or would let somebody at this browser send it without a code. */
  const sensitive = (): [path: string, fields: Record<string, string>][] => [
    ['/members', invitation],
    [`/members/${owner.memberId}`, { role: 'viewer' }],
    [`/members/${owner.memberId}/link`, {}],
    [`/members/${owner.memberId}/remove-authenticator`, {}],
    ['/business', { name: 'Other', time_zone: 'Africa/Lagos' }],
    ['/providers', { provider: 'paystack', secret_key: 'x' }],
    ['/refunds/ref_1/approve', {}],
    ['/reviews/rev_1/return', {}],
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
    const [{ count }] = (await stack.sql<{ count: number }>`select count(*) as count from members
       where tenant_id = ${tenant.tenant_id} and (email like 'puppet%' or role = 'viewer')`) as [
      { count: number },
    ];
    expect(count).to.equal(0);
  });

  it('goes on with the code where the form was, and is not asked again', async () => {
    const asked = await post('/members', invitation);
    const hidden = [...asked.html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
    expect(hidden.map(([, name]) => name)).to.include.members(['email', 'role', 'name']);
    const done = await post('/members', { ...invitation, code: authenticator.code() });
    expect(done.status, done.html).to.equal(200);
    expect(done.html).to.include('/set-password/');
    expect((await post('/members', { ...invitation, email: 'b@shop.example' })).status).to.equal(
      200,
    );
  });

  it('waits for another authenticator after removing the own one where the business demands it', async () => {
    await stack.sql`update tenants set requires_second_factor = true
      where id = ${tenant.tenant_id}`;
    const removed = await post(`/members/${owner.memberId}/remove-authenticator`, {
      code: authenticator.code(),
    });
    expect(removed.status).to.equal(303);
    expect((await owner.get('/transactions')).location).to.match(/^.sign-in.enrol/);
  });
});

describe('A form of the dashboard', () => {
  const stack = useStack({ workers: false });
  let owner: Member;
  beforeEach(async () => {
    owner = await dashboardMember(stack, stack.tenant, 'owner');
  });

  it('that was opened in test mode changes nothing once another tab switched to live', async () => {
    const csrf = csrfOf(owner, 'test');
    const before = await stack.count('api_keys');
    expect((await owner.post('/mode', { csrf, section: 'developers' })).status).to.equal(303);
    const stale = await owner.post('/developers/keys', { csrf, kind: 'secret', name: 'x' });
    expect(stale.status).to.equal(409);
    expect(stale.html).to.include('You switched to live mode');
    expect((await owner.post('/mode', { csrf })).status).to.equal(409);
    expect(await stack.count('api_keys')).to.equal(before);
    expect((await owner.post('/sign-out', { csrf })).status).to.equal(303);
  });

  it('is refused, never answered 5xx, for what no text or path may hold', async () => {
    const csrf = csrfOf(owner);
    const nul = await owner.post('/sign-in', { email: 'a\0b@c.example', password: 'x' });
    expect(nul.status).to.equal(401);
    expect((await owner.post('/members/%00/remove-authenticator', { csrf })).status).to.equal(404);
    expect((await owner.post('/account/sessions/%00/end', { csrf })).status).to.equal(404);
    const many = Object.fromEntries(Array.from({ length: 1_100 }, (_, n) => [`f${n}`, 'x']));
    expect((await owner.post('/members', { csrf, ...many })).status).to.equal(413);
  });

  it('of an endpoint is refused without a single event, which changes nothing', async () => {
    const id = await addEndpoint(stack);
    const fields = { csrf: csrfOf(owner), url: 'https://shop.example/hooks', has_event_types: 'y' };
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
    const { token } = { token: owner.cookies.get('local-session')! };
    await owner.signIn(stack.tenant.owner);
    owner.cookies.set('local-session', token);
    stack.clock.advance(HOUR / 60);
    expect((await owner.get('/transactions')).status).to.equal(303);
  });
});
