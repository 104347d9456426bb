import { expect } from 'chai';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { auditOf } from '../../support/audit.ts';
import { expectRefusal } from '../../support/contract.ts';
import { memberOf, useMember } from '../../support/members.ts';
import { useStack } from '../../support/stack.ts';

describe('Members', () => {
  const stack = useStack({ workers: false, newTenants: true });
  const owner = useMember(stack, 'owner');
  let made = 0;

  const newEmail = () => `Person.${++made}@test.example`;
  const create = (body: object, options: object = {}) =>
    stack.api.post('/members', body, { key: owner.token, ...options });
  const get = (path: string, key = owner.token) => stack.api.get(path, { key });

  describe('POST /members', () => {
    it('answers 201 with the member and a one-time link, of which only the hash is stored', async () => {
      const email = newEmail();
      const answer = await create({ email, name: 'Ada Obi', role: 'developer' });
      expect(answer.status).to.equal(201);
      const { id, created_at: createdAt, set_password_url: url, ...rest } = answer.json;
      expect(rest).to.deep.equal({
        object: 'member',
        email,
        name: 'Ada Obi',
        role: 'developer',
        status: 'invited',
        has_second_factor: false,
      });
      const [, token] =
        new RegExp(`^${stack.context.env.publicUrl}/set-password/([0-9a-z]{40})$`).exec(url) ?? [];
      const links = await stack.sql<{ sha256: string }>`select * from member_links
        where member_id = ${id}`;
      expect(links.map(({ sha256 }) => sha256)).to.deep.equal([sha256Of(token!)]);
      expect(JSON.stringify(links)).not.to.include(token!);
      expect(await auditOf(stack, id)).to.deep.equal([
        { actor: owner.memberId, action: 'member.invited', detail: 'developer' },
      ]);
    });

    it('refuses an e-mail address that the business has already, in any case', async () => {
      for (const email of [stack.tenant.owner.email, stack.tenant.owner.email.toUpperCase()]) {
        const refused = await expectRefusal(
          stack,
          () => create({ email, role: 'viewer' }),
          'validation_failed',
          ['email'],
        );
        expect(refused.json.error.fields.email).to.equal('belongs to a member already');
      }
    });

    it('accepts one that another business has, and says nothing of it', async () => {
      const { email } = (await stack.newTenant()).owner;
      const added = await create({ email, role: 'viewer' });
      expect([added.status, added.json.status]).to.deep.equal([201, 'invited']);
    });

    it('accepts an e-mail address once of many simultaneous requests', async () => {
      const email = newEmail();
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => create({ email, role: 'viewer' })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        201, 422, 422, 422, 422, 422,
      ]);
    });
  });

  describe('GET /members', () => {
    it('shows which members have no password yet and which are disabled, and no link', async () => {
      const { id } = (await create({ email: newEmail(), role: 'viewer' })).json;
      await owner.api.remove(`/members/${id}`);
      const { data } = (await get('/members')).json;
      expect(data.map((member: any) => member.status)).to.deep.equal([
        'disabled',
        'invited',
        'active',
      ]);
      expect(data[0]).not.to.have.property('set_password_url');
    });
  });

  describe('GET /members/{id}', () => {
    it('reads one, in both modes', async () => {
      const { set_password_url: _, ...member } = (
        await create({ email: newEmail(), role: 'viewer', name: 'Ada' })
      ).json;
      const live = await memberOf(stack, stack.tenant, 'owner', 'live');
      for (const key of [owner.token, live.token])
        expect((await get(`/members/${member.id}`, key)).json).to.deep.equal(member);
    });
  });
});
