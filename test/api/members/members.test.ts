import { expect } from 'chai';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { auditOf } from '../../support/audit.ts';
import { expectContractHeaders, expectError } from '../../support/contract.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { runTwice } from '../../support/run-twice.ts';
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
    it('answers 201 with the member and a one-time link, of which only the hash is kept', async () => {
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

    it('is done once under one Idempotency-Key, and its answer is kept sealed', async () => {
      const body = { email: newEmail(), role: 'viewer' };
      const [first, second] = await runTwice(stack, () => create(body, { idempotencyKey: 'm1' }));
      expect([first.status, second.headers.get('idempotent-replayed')]).to.deep.equal([
        201,
        'true',
      ]);
      const [kept] = await stack.context.db.query<any>(
        'select answer, sealed from idempotency_keys where tenant_id = $1',
        [tenant.tenant_id],
      );
      expect(kept.sealed).to.equal(true);
      expect(kept.answer).not.to.include(first.json.set_password_url.slice(-40));
      expectError(
        await create({ ...body, role: 'owner' }, { idempotencyKey: 'm1' }),
        409,
        'idempotency_conflict',
      );
    });

    it('is done once when twins come at once', async () => {
      const body = { email: newEmail(), role: 'viewer' };
      const twins = await Promise.all(
        Array.from({ length: 5 }, () => create(body, { idempotencyKey: 'twins' })),
      );
      expect(new Set(twins.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
      expect(twins[0]!.status).to.equal(201);
    });

    it('a refused one burns no key', async () => {
      const body = { email: `${owner.memberId}@test.example`, role: 'viewer' };
      expectError(await create(body, { idempotencyKey: 'free' }), 422, 'validation_failed', [
        'email',
      ]);
      expect(
        (await create({ ...body, email: newEmail() }, { idempotencyKey: 'free' })).status,
      ).to.equal(201);
    });

    it('refuses an e-mail address that somebody has, in whatever case, in whatever business', async () => {
      const other = await stack.newTenant();
      for (const email of [
        tenant.owner.email,
        tenant.owner.email.toUpperCase(),
        other.owner.email,
      ]) {
        const refused = await writingNothing(stack, () => create({ email, role: 'viewer' }));
        expectError(refused, 422, 'validation_failed', ['email']);
        expect(refused.json.error.fields.email).to.equal('belongs to a member already');
      }
    });

    it('takes an e-mail address once, of many who try at once', async () => {
      const email = newEmail();
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => create({ email, role: 'viewer' })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        201, 422, 422, 422, 422, 422,
      ]);
    });

    const bad: [title: string, body: object, fields: string[]][] = [
      ['nothing', {}, ['email', 'role']],
      ['no e-mail address', { email: 'ada', role: 'viewer' }, ['email']],
      ['NUL in the address', { email: 'a\0@b.example', role: 'viewer' }, ['email']],
      ['too long an address', { email: `${'a'.repeat(250)}@b.example`, role: 'viewer' }, ['email']],
      ['an unknown role', { email: 'a@b.example', role: 'admin' }, ['role']],
      ['a role of keys', { email: 'a@b.example', role: 'secret' }, ['role']],
      ['an empty name', { email: 'a@b.example', role: 'viewer', name: '' }, ['name']],
      [
        'too long a name',
        { email: 'a@b.example', role: 'viewer', name: 'x'.repeat(101) },
        ['name'],
      ],
      ['a broken name', { email: 'a@b.example', role: 'viewer', name: '\ud800' }, ['name']],
      [
        'a password',
        { email: 'a@b.example', role: 'viewer', password: 'correct horse battery' },
        ['password'],
      ],
      ['a status', { email: 'a@b.example', role: 'viewer', status: 'active' }, ['status']],
    ];
    for (const [title, body, fields] of bad) {
      it(`answers ${title} with 422 and names what is wrong`, async () => {
        expectError(
          await writingNothing(stack, () => create(body)),
          422,
          'validation_failed',
          fields,
        );
      });
    }
  });

  describe('GET /members', () => {
    it('lists everybody of the business, newest first, page by page, without their links', async () => {
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
            'created_at',
          ]);
          ids.push(member.id);
        }
        cursor = page.json.next_cursor;
      } while (cursor);
      expect(ids.slice(0, 4)).to.deep.equal([...added, owner.memberId]);
      expect(ids).to.have.length(5);
    });

    it('refuses a cursor of another list and a limit out of bounds', async () => {
      for (const [query, field] of [
        ['limit=0', 'limit'],
        ['limit=101', 'limit'],
        ['cursor=nonsense', 'cursor'],
        ['role=owner', 'role'],
      ]) {
        expectError(await get(`/members?${query}`), 422, 'validation_failed', [field!]);
      }
    });

    it('tells who has not set a password, and who is disabled', async () => {
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
    it('reads one, from either mode', async () => {
      const { set_password_url: _, ...member } = (
        await create({ email: newEmail(), role: 'viewer', name: 'Ada' })
      ).json;
      const live = await memberOf(stack, tenant, 'owner', 'live');
      for (const key of [owner.token, live.token])
        expect((await get(`/members/${member.id}`, key)).json).to.deep.equal(member);
    });
  });

  it('of another business are not there, nor are ids that are none', async () => {
    const { id } = (await create({ email: newEmail(), role: 'viewer' })).json;
    const other = await memberOf(stack, await stack.newTenant(), 'owner');
    const paths: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { role: 'owner' }],
      ['DELETE', ''],
      ['POST', '/set-password-link'],
    ];
    for (const [method, tail, body] of paths) {
      const refused = await writingNothing(stack, () =>
        stack.api.send(method, `/members/${id}${tail}`, body, { key: other.token }),
      );
      expectError(refused, 404, 'not_found');
      for (const none of [
        `mem_${'0'.repeat(26)}`,
        'mem_',
        '%00',
        id.toUpperCase(),
        id.replace('mem', 'key'),
      ]) {
        expectError(
          await stack.api.send(method, `/members/${none}${tail}`, body, { key: owner.token }),
          404,
          'not_found',
        );
      }
    }
  });

  it('are managed by Owners alone', async () => {
    const { id } = (await create({ email: newEmail(), role: 'viewer' })).json;
    const keys = [
      (await memberOf(stack, tenant, 'developer')).token,
      (await memberOf(stack, tenant, 'viewer')).token,
      tenant.secret_key_test,
      tenant.public_key_test,
    ];
    const calls: [string, string, object?][] = [
      ['POST', '/members', { email: newEmail(), role: 'viewer' }],
      ['GET', '/members'],
      ['GET', `/members/${id}`],
      ['PATCH', `/members/${id}`, { role: 'owner' }],
      ['DELETE', `/members/${id}`],
      ['POST', `/members/${id}/set-password-link`],
    ];
    for (const key of keys) {
      for (const [method, path, body] of calls) {
        const refused = await writingNothing(stack, () =>
          stack.api.send(method, path, body, { key }),
        );
        expectError(refused, 403, 'forbidden');
      }
    }
  });
});
