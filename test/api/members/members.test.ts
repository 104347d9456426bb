import { expect } from 'chai';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { auditOf } from '../../support/audit.ts';
import { expectContractHeaders, expectError } from '../../support/contract.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack, type TestTenant } from '../../support/stack.ts';

describe('Members', () => {
  let stack: Stack;
  let tenant: TestTenant;
  let owner: SignedIn;
  let made = 0;
  before(async () => {
    stack = await startStack({ workers: false });
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    tenant = await stack.newTenant();
    owner = await memberOf(stack, tenant, 'owner');
  });
  afterEach(() => expectNoLeaks(stack));

  const newEmail = () => `Person.${++made}@test.example`;
  const create = (body: object, options: object = {}) =>
    stack.api.post('/members', body, { key: owner.token, ...options });
  const get = (path: string, key = owner.token) => stack.api.get(path, { key });

  describe('POST /members', () => {
    it('answers 201 with the member and a one-time link, of which only the hash is stored', async () => {
      const email = newEmail();
      const answer = await create({ email, name: 'Ada Obi', role: 'developer' });
      expect(answer.status).to.equal(201);
      expectContractHeaders(answer, tenant.tenant_id);
      const { id, created_at: createdAt, set_password_url: url, ...rest } = answer.json;
      expect(id).to.match(/^mem_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      expect(new Date(createdAt).toISOString()).to.equal(createdAt);
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
      const links = await stack.context.db.query<{ sha256: string }>(
        'select * from member_links where member_id = $1',
        [id],
      );
      expect(links.map(({ sha256 }) => sha256)).to.deep.equal([sha256Of(token!)]);
      expect(JSON.stringify(links)).not.to.include(token!);
      expect(await auditOf(stack, id)).to.deep.equal([
        { actor: owner.memberId, action: 'member.invited', detail: 'developer' },
      ]);
    });

    it('needs no name', async () => {
      expect((await create({ email: newEmail(), role: 'viewer' })).json).to.include({
        name: null,
        role: 'viewer',
      });
    });

    it('refuses an e-mail address that the business has already, in any case', async () => {
      for (const email of [tenant.owner.email, tenant.owner.email.toUpperCase()]) {
        const refused = await writingNothing(stack, () => create({ email, role: 'viewer' }));
        expectError(refused, 422, 'validation_failed', ['email']);
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
    it('lists the members of the business, newest first, page by page, without their links', async () => {
      const added: string[] = [];
      for (let n = 0; n < 3; n++)
        added.unshift((await create({ email: newEmail(), role: 'viewer' })).json.id);
      const ids: string[] = [];
      let cursor = '';
      do {
        const page = await get(`/members?limit=2${cursor && `&cursor=${cursor}`}`);
        expect(page.status).to.equal(200);
        expect(page.json.tenant_id).to.equal(tenant.tenant_id);
        for (const member of page.json.data) {
          expect(Object.keys(member)).to.deep.equal([
            'object',
            'id',
            'email',
            'name',
            'role',
            'status',
            'has_second_factor',
            'created_at',
          ]);
          ids.push(member.id);
        }
        cursor = page.json.next_cursor;
      } while (cursor);
      expect(ids.slice(0, 4)).to.deep.equal([...added, owner.memberId]);
      expect(ids).to.have.length(5);
    });

    it('shows which members have no password yet, and which are disabled', async () => {
      const { id } = (await create({ email: newEmail(), role: 'viewer' })).json;
      await stack.api.send('DELETE', `/members/${id}`, undefined, { key: owner.token });
      const { data } = (await get('/members')).json;
      expect(data.map((member: any) => member.status)).to.deep.equal([
        'disabled',
        'invited',
        'active',
      ]);
    });
  });

  describe('GET /members/{id}', () => {
    it('reads one, in both modes', async () => {
      const { set_password_url: _, ...member } = (
        await create({ email: newEmail(), role: 'viewer', name: 'Ada' })
      ).json;
      const live = await memberOf(stack, tenant, 'owner', 'live');
      for (const key of [owner.token, live.token])
        expect((await get(`/members/${member.id}`, key)).json).to.deep.equal(member);
    });
  });
});
