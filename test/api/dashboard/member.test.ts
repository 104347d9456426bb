import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { csrfOf, dashboardMember } from '../../support/dashboard.ts';
import { memberOf } from '../../support/members.ts';
import { useStack } from '../../support/stack.ts';

describe('A member’s sessions, to an Owner', () => {
  const stack = useStack({ workers: false, newTenants: true });

  const pathOf = (memberId: string, familyId: string) =>
    `/members/${memberId}/sessions/${familyId}/end`;
  const isLive = async ({ token }: { token: string }) =>
    (await stack.api.get('/transactions', { key: token })).status === 200;

  it('are counted, listed, and ended one by one, on record', async () => {
    const owner = await dashboardMember(stack, stack.tenant, 'owner');
    const support = await dashboardMember(stack, stack.tenant, 'support');
    const app = await memberOf(stack, stack.tenant, 'support');
    await stack.sql`update token_families set member_id = ${support.memberId}
      where id = ${app.familyId}`;
    const countsIn = async () =>
      [...(await owner.get('/members')).html.matchAll(/>Signed in (once|\d+ times)</g)].map(
        ([, count]) => count,
      );
    expect(await countsIn()).to.have.members(['once', '2 times']);
    const { html } = await owner.get(`/members/${support.memberId}`);
    expect(html).to.include(support.email).and.include('An app, through the API');
    const path = pathOf(support.memberId, app.familyId);
    expect((await owner.get(path)).html).to.include(support.email);
    expect(await isLive(app)).to.equal(true);
    const page = await owner.postAndFollow(path, { csrf: csrfOf(owner) });
    expect(page.html).to.include('The session is ended.').and.not.include('An app, through');
    expect(await isLive(app)).to.equal(false);
    expect((await support.get('/transactions')).status, 'the other session').to.equal(200);
    expect(await countsIn()).to.have.members(['once', 'once']);
    expect((await owner.post(path, { csrf: csrfOf(owner) })).status, 'again').to.equal(404);
    expect(await auditOf(stack, support.memberId)).to.deep.equal([
      { actor: owner.memberId, action: 'member.session_ended', detail: null },
    ]);
  });

  it('are not found by an Owner of another business, nor under another member', async () => {
    const app = await memberOf(stack, stack.tenant, 'support');
    const stranger = await dashboardMember(stack, await stack.newTenant(), 'owner');
    const owner = await dashboardMember(stack, stack.tenant, 'owner');
    for (const [browser, memberId] of [
      [stranger, app.memberId],
      [stranger, stranger.memberId],
      [owner, owner.memberId],
    ] as const) {
      const path = pathOf(memberId, app.familyId);
      expect((await browser.get(path)).status).to.equal(404);
      expect((await browser.post(path, { csrf: csrfOf(browser) })).status).to.equal(404);
    }
    expect((await stranger.get(`/members/${app.memberId}`)).status).to.equal(404);
    expect(await isLive(app)).to.equal(true);
  });
});
