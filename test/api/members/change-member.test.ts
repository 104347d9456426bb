import { expect } from 'chai';
import { hashPassword } from '../../../domain/accounts/token/credentials.ts';
import { auditOf } from '../../support/audit.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { memberOf, useMember } from '../../support/members.ts';
import { cheapPasswords } from '../../support/passwords.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';
import { refresh, signIn, statusWith, trySignIn } from '../../support/tokens.ts';

describe('Changing a member', () => {
  const stack = useStack({ workers: false, newTenants: true });
  const owner = useMember(stack, 'owner');
  const other = useMember(stack, 'viewer');

  const change = (id: string, body: object, key = owner.token) =>
    stack.api.patch(`/members/${id}`, body, { key });
  const disable = (id: string, key = owner.token) => stack.api.remove(`/members/${id}`, { key });
  const sql = (text: string, values: unknown[] = []) => stack.context.db.query<any>(text, values);
  const founder = async (): Promise<string> =>
    (
      await sql('select id from members where lower(email) = lower($1)', [stack.tenant.owner.email])
    )[0].id;
  const givePassword = (id: string) =>
    sql(`update members set password_hash = 'argon2id$65536$3$4$AA$AA' where id = $1`, [id]);

  it('changes name and role, effective from the next request', async () => {
    expectRefused(await other.api.post('/api-keys', { kind: 'secret' }), 'forbidden');
    const answer = await change(other.memberId, { name: 'Bola', role: 'developer' });
    expect(answer.status).to.equal(200);
    expect(answer.json).to.include({
      object: 'member',
      id: other.memberId,
      name: 'Bola',
      role: 'developer',
      status: 'invited',
    });
    expect((await other.api.post('/api-keys', { kind: 'secret' })).status).to.equal(201);
    expect(await auditOf(stack, other.memberId)).to.have.deep.members([
      { actor: owner.memberId, action: 'member.renamed', detail: null },
      { actor: owner.memberId, action: 'member.role_changed', detail: 'viewer → developer' },
    ]);
  });

  for (const [title, act] of [
    ['DELETE', disable],
    ['PATCH with status disabled', (id: string) => change(id, { status: 'disabled' })],
  ] as const) {
    it(`${title} signs the member out everywhere and voids their links, but keeps the member; repeated, it changes nothing`, async () => {
      const link = await stack.api.post(`/members/${other.memberId}/set-password-link`, undefined, {
        key: owner.token,
      });
      expect(await statusWith(stack, other.token)).to.equal(404);
      const answer = await act(other.memberId);
      expect(answer.status).to.equal(200);
      expect(answer.json).to.include({ object: 'member', id: other.memberId, status: 'disabled' });
      expect(await statusWith(stack, other.token)).to.equal(401);
      const origin = stack.origin;
      const page = () => rawRequest(origin, { path: new URL(link.json.set_password_url).pathname });
      expect((await page()).status).to.equal(410);
      expect((await writingNothing(stack, () => act(other.memberId))).json).to.deep.equal(
        answer.json,
      );
      await change(other.memberId, { status: 'active' });
      expect(await statusWith(stack, other.token), 'what was ended stays ended').to.equal(401);
      expect((await page()).status, 'and so do links').to.equal(410);
      expect((await auditOf(stack, other.memberId)).map(({ action }) => action)).to.deep.equal([
        'member.link_made',
        'member.disabled',
        'member.enabled',
      ]);
    });
  }

  it('disabling ends sign-ins and refreshes; enabled again, the member signs in with the old password', async () => {
    const email = `${other.memberId}@test.example`;
    await sql('update members set password_hash = $2 where id = $1', [
      other.memberId,
      await hashPassword('correct horse battery', cheapPasswords),
    ]);
    const pair = await signIn(stack, { email, password: 'correct horse battery' });
    await disable(other.memberId);
    expectRefused(
      await trySignIn(stack, { email, password: 'correct horse battery' }),
      'unauthorized',
    );
    expectRefused(await refresh(stack, pair.refresh_token), 'unauthorized');
    expect((await change(other.memberId, { status: 'active' })).json.status).to.equal('active');
    expectRefused(await refresh(stack, pair.refresh_token), 'unauthorized');
    await signIn(stack, { email, password: 'correct horse battery' });
  });

  describe('the last Owner who can sign in', () => {
    it('can be neither demoted nor disabled, even if another Owner is invited', async () => {
      const id = await founder();
      for (const act of [
        () => change(id, { role: 'developer' }),
        () => change(id, { status: 'disabled' }),
        () => disable(id),
      ]) {
        await expectRefusal(stack, act, 'invalid_state');
      }
      expect((await change(id, { name: 'Still here', role: 'owner' })).status).to.equal(200);
    });

    it('can be, once there is another', async () => {
      await givePassword(owner.memberId);
      expect((await change(await founder(), { role: 'viewer' })).json.role).to.equal('viewer');
      expectRefused(await change(owner.memberId, { role: 'viewer' }), 'invalid_state');
      expectRefused(await disable(owner.memberId), 'invalid_state');
    });

    it('is not a disabled one', async () => {
      await givePassword(owner.memberId);
      const third = await memberOf(stack, stack.tenant, 'owner');
      await givePassword(third.memberId);
      await disable(third.memberId);
      await disable(await founder());
      expectRefused(await disable(owner.memberId), 'invalid_state');
    });
  });

  for (const [title, act] of [
    ['demote', (id: string, key: string) => change(id, { role: 'viewer' }, key)],
    ['disable', (id: string, key: string) => disable(id, key)],
  ] as const) {
    it(`remains when two Owners ${title} each other at once`, async () => {
      const [ada, bola] = [owner, await memberOf(stack, stack.tenant, 'owner')];
      for (const { memberId } of [ada, bola]) await givePassword(memberId);
      await sql('update members set disabled_at = now() where id = $1', [await founder()]);
      const answers = await whileHeld(
        stack,
        (held) =>
          held.query('select 1 from tenants where id = $1 for update', [stack.tenant.tenant_id]),
        () => [act(bola.memberId, ada.token), act(ada.memberId, bola.token)],
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
      expectRefused(answers.find(({ status }) => status === 409)!, 'invalid_state');
      const [{ owners }] = await sql(
        `select count(*) as owners from members where tenant_id = $1 and role = 'owner' and disabled_at is null`,
        [stack.tenant.tenant_id],
      );
      expect(owners).to.equal(1);
    });
  }
});
