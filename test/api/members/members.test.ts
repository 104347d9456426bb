import { expect } from 'chai';
import { hashPassword } from '../../../domain/accounts/token/credentials.ts';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import type { Answer } from '../../support/api.ts';
import { auditOf } from '../../support/audit.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { memberOf, useMember } from '../../support/members.ts';
import { cheapPasswords } from '../../support/passwords.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';
import { refresh, signIn, statusWith, trySignIn } from '../../support/tokens.ts';

const PASSWORD = 'correct horse battery';

describe('Members', () => {
  const stack = useStack({ workers: false, newTenants: true });
  const owner = useMember(stack, 'owner');
  const other = useMember(stack, 'viewer');
  let made = 0;

  const newEmail = () => `Person.${++made}@test.example`;
  const invite = (email: string, more: object = {}) =>
    owner.api.post('/members', { email, role: 'viewer', ...more });
  const change = (id: string, body: object, { api } = owner) => api.patch(`/members/${id}`, body);
  const disable = (id: string, { api } = owner) => api.remove(`/members/${id}`);
  const actionsOn = async (id: string) => (await auditOf(stack, id)).map(({ action }) => action);
  const founder = async (): Promise<string> => {
    const [row] = await stack.sql`select id from members where email = ${stack.tenant.owner.email}`;
    return row.id;
  };
  const givePassword = async (id: string, password: string) =>
    stack.sql`update members set password_hash = ${await hashPassword(password, cheapPasswords)}
      where id = ${id}`;
  const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort();

  it('are invited by a one-time link, of which only the hash is stored', async () => {
    const email = newEmail();
    const answer = await invite(email, { name: 'Ada Obi', role: 'developer' });
    expect(answer.status).to.equal(201);
    const { id, created_at: createdAt, set_password_url: url, ...rest } = answer.json;
    expect(rest).to.deep.equal({
      ...{ object: 'member', email, name: 'Ada Obi', role: 'developer', status: 'invited' },
      has_second_factor: false,
    });
    const address = new RegExp(`^${stack.context.env.publicUrl}/set-password/([0-9a-z]{40})$`);
    const [, token] = address.exec(url)!;
    const links = await stack.sql`select * from member_links where member_id = ${id}`;
    expect(links.map(({ sha256 }) => sha256)).to.deep.equal([sha256Of(token!)]);
    expect(JSON.stringify(links)).not.to.include(token!);
    const entry = { actor: owner.memberId, action: 'member.invited', detail: 'developer' };
    expect(await auditOf(stack, id)).to.deep.equal([entry]);
  });

  it('have an e-mail address that no other of the business has, in any case', async () => {
    const { email } = stack.tenant.owner;
    for (const taken of [email, email.toUpperCase()]) {
      const refused = await expectRefusal(stack, () => invite(taken), 'validation_failed', [
        'email',
      ]);
      expect(refused.json.error.fields.email).to.equal('belongs to a member already');
    }
    const elsewhere = await invite((await stack.newTenant()).owner.email);
    expect([elsewhere.status, elsewhere.json.status]).to.deep.equal([201, 'invited']);
    const wanted = newEmail();
    const answers = await Promise.all(Array.from({ length: 6 }, () => invite(wanted)));
    expect(statusesOf(answers)).to.deep.equal([201, 422, 422, 422, 422, 422]);
  });

  it('are shown in both modes, with who has no password yet and who is disabled, and no link', async () => {
    const { set_password_url: _, ...member } = (await invite(newEmail(), { name: 'Ada' })).json;
    const live = await memberOf(stack, stack.tenant, 'owner', 'live');
    for (const { api } of [owner, live])
      expect((await api.get(`/members/${member.id}`)).json).to.deep.equal(member);
    await disable(member.id);
    const { data } = (await owner.api.get('/members')).json;
    const statusOf = (id: string) => data.find((one: { id: string }) => one.id === id).status;
    expect([member.id, other.memberId, await founder()].map(statusOf)).to.deep.equal([
      ...['disabled', 'invited', 'active'],
    ]);
    for (const one of data) expect(one).not.to.have.property('set_password_url');
  });

  it('have another name and role from the next request on', async () => {
    expectRefused(await other.api.post('/api-keys', { kind: 'secret' }), 'forbidden');
    const changed = { name: 'Bola', role: 'developer' };
    const answer = await change(other.memberId, changed);
    expect(answer.status).to.equal(200);
    expect(answer.json).to.include({ id: other.memberId, ...changed, status: 'invited' });
    expect((await other.api.post('/api-keys', { kind: 'secret' })).status).to.equal(201);
    const actor = owner.memberId;
    expect(await auditOf(stack, other.memberId)).to.have.deep.members([
      { actor, action: 'member.renamed', detail: null },
      { actor, action: 'member.role_changed', detail: 'viewer → developer' },
    ]);
  });

  for (const [title, act] of [
    ['DELETE', disable],
    ['PATCH', (id: string) => change(id, { status: 'disabled' })],
  ] as const)
    it(`are disabled by ${title}, which signs them out everywhere and voids their links; repeated, it changes nothing`, async () => {
      const id = other.memberId;
      const { set_password_url } = (await owner.api.post(`/members/${id}/set-password-link`)).json;
      const page = () => rawRequest(stack, { path: new URL(set_password_url).pathname });
      expect(await statusWith(stack, other.token)).to.equal(404);
      const answer = await act(id);
      expect([answer.status, answer.json.id, answer.json.status]).to.deep.equal([
        ...[200, id, 'disabled'],
      ]);
      expect(await statusWith(stack, other.token)).to.equal(401);
      expect((await page()).status).to.equal(410);
      const again = await writingNothing(stack, () => act(id));
      expect(again.json).to.deep.equal(answer.json);
      await change(id, { status: 'active' });
      expect(await statusWith(stack, other.token), 'what was ended stays ended').to.equal(401);
      expect((await page()).status, 'and so do links').to.equal(410);
      expect(await actionsOn(id)).to.deep.equal([
        ...['member.link_made', 'member.disabled', 'member.enabled'],
      ]);
    });

  it('sign in no more while disabled; enabled again, with the old password, and no old token', async () => {
    const who = { email: `${other.memberId}@test.example`, password: PASSWORD };
    await givePassword(other.memberId, PASSWORD);
    const pair = await signIn(stack, who);
    await disable(other.memberId);
    expectRefused(await trySignIn(stack, who), 'unauthorized');
    expectRefused(await refresh(stack, pair.refresh_token), 'unauthorized');
    expect((await change(other.memberId, { status: 'active' })).json.status).to.equal('active');
    expectRefused(await refresh(stack, pair.refresh_token), 'unauthorized');
    await signIn(stack, who);
  });

  it('have one Owner who can sign in at least, however many others are invited or disabled', async () => {
    const id = await founder();
    for (const act of [
      () => change(id, { role: 'developer' }),
      () => change(id, { status: 'disabled' }),
      () => disable(id),
    ])
      await expectRefusal(stack, act, 'invalid_state');
    expect((await change(id, { name: 'Still here', role: 'owner' })).status).to.equal(200);
    const third = await memberOf(stack, stack.tenant, 'owner');
    for (const { memberId } of [owner, third]) await givePassword(memberId, PASSWORD);
    await disable(third.memberId);
    expect((await change(id, { role: 'viewer' })).json.role).to.equal('viewer');
    expectRefused(await change(owner.memberId, { role: 'viewer' }), 'invalid_state');
    expectRefused(await disable(owner.memberId), 'invalid_state');
  });

  for (const [title, act] of [
    ['demote', (id: string, by = owner) => change(id, { role: 'viewer' }, by)],
    ['disable', disable],
  ] as const)
    it(`keep one Owner when two ${title} each other at once`, async () => {
      const bola = await memberOf(stack, stack.tenant, 'owner');
      for (const { memberId } of [owner, bola]) await givePassword(memberId, PASSWORD);
      await stack.sql`update members set disabled_at = now() where id = ${await founder()}`;
      const { tenant_id: tenant } = stack.tenant;
      const answers = await whileHeld(
        stack,
        (held) => held.query('select 1 from tenants where id = $1 for update', [tenant]),
        () => [act(bola.memberId, owner), act(owner.memberId, bola)],
      );
      expect(statusesOf(answers)).to.deep.equal([200, 409]);
      expectRefused(answers.find(({ status }) => status === 409)!, 'invalid_state');
      const owners = `tenant_id = '${tenant}' and role = 'owner' and disabled_at is null`;
      expect(await stack.count(`members where ${owners}`)).to.equal(1);
    });
});
