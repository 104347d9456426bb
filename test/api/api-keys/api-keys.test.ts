import { expect } from 'chai';
import type { Sql } from '../../../domain/shared/sql.ts';
import { auditOf } from '../../support/audit.ts';
import { HOUR, MINUTE } from '../../support/clock.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { memberOf, useMember } from '../../support/members.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { runTwice } from '../../support/run-twice.ts';
import { useStack } from '../../support/stack.ts';

const charge = { amount_kobo: 10_000, email: 'ada@example.com' };
const store = 'https://store.example';
const unbounded = { min_amount_kobo: null, max_amount_kobo: null, description: null };

describe('API keys', () => {
  const stack = useStack({ workers: false, newTenants: true });
  const owner = useMember(stack, 'owner');

  const create = (body: object = { kind: 'secret' }, { api } = owner, options: object = {}) =>
    api.post('/api-keys', body, options);
  const make = async (body?: object) => (await create(body)).json;
  const read = (id: string) => owner.api.get(`/api-keys/${id}`);
  const change = (id: string, body: object) => owner.api.patch(`/api-keys/${id}`, body);
  const revoke = (id: string, { api } = owner) => api.remove(`/api-keys/${id}`);
  const chargeWith = (key: string, headers: Record<string, string> = {}) =>
    stack.api.post('/charges', charge, { key, headers });
  const entriesOf = async (id: string) =>
    (await auditOf(stack, id)).map(({ actor, action, detail }) => {
      expect(actor).to.equal(owner.memberId);
      return `${action} ${detail}`;
    });

  describe('are created', () => {
    it('in the token’s mode, shown once, and stored as their hash, with who did it', async () => {
      for (const mode of ['test', 'live'] as const) {
        const member = await memberOf(stack, stack.tenant, 'developer', mode);
        const answer = await create({ kind: 'secret', name: 'Till 4' }, member);
        expect(answer.status).to.equal(201);
        const { id, key, created_at, ...rest } = answer.json;
        expect(key).to.match(new RegExp(`^svc_sk_${mode}_[0-9a-z]{36}$`));
        expect(rest).to.deep.equal({
          ...{ object: 'api_key', kind: 'secret', mode, name: 'Till 4', last4: key.slice(-4) },
          ...{ allowed_origins: null, ...unbounded, last_used_at: null },
          ...{ expires_at: null, revoked_at: null },
        });
        const rows = [await stack.sql`select * from api_keys where id = ${id}`];
        expect(JSON.stringify(rows)).not.to.include(key);
        const entry = { action: 'api_key.created', detail: `secret …${key.slice(-4)}` };
        expect(await auditOf(stack, id)).to.deep.equal([{ actor: member.memberId, ...entry }]);
      }
    });

    it('as public ones for any web origin or for the named ones, normalised and without repeats', async () => {
      const anywhere = await make({ kind: 'public' });
      expect(anywhere.key).to.match(/^svc_pk_test_/);
      expect(anywhere.allowed_origins).to.equal(null);
      const named = ['HTTPS://Store.Example:443', store, 'http://localhost:3000'];
      named.push('https://bücher.example');
      const { allowed_origins } = await make({ kind: 'public', allowed_origins: named });
      expect(allowed_origins).to.deep.equal([
        ...[store, 'http://localhost:3000', 'https://xn--bcher-kva.example'],
      ]);
    });

    it('50 live ones of a tenant and mode, also by simultaneous requests; a refusal uses up no Idempotency-Key', async () => {
      const as = (index: number) => ({ idempotencyKey: `k${index}` });
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) => create(undefined, owner, as(index))),
      );
      const created = answers.filter(({ status }) => status === 201);
      expect(created).to.have.length(48); // a tenant begins with two
      for (const answer of answers)
        if (answer.status !== 201) expectRefused(answer, 'invalid_state');
      const live = await memberOf(stack, stack.tenant, 'developer', 'live');
      expect((await create(undefined, live)).status).to.equal(201);
      await revoke(created[0]!.json.id);
      const refused = answers.findIndex(({ status }) => status !== 201);
      expect((await create(undefined, owner, as(refused))).status).to.equal(201);
      await expectRefusal(stack, create, 'invalid_state');
    });
  });

  it('are shown without their secret, public ones whole, revoked ones too', async () => {
    const { key, ...secret } = await make({ kind: 'secret', name: 'Till 4' });
    const kept = await read(secret.id);
    expect([kept.status, kept.json]).to.deep.equal([200, { ...secret, key: null }]);
    expect(kept.text).not.to.include(key);
    const made = await make({ kind: 'public', name: 'Web', allowed_origins: [store] });
    expect((await read(made.id)).json).to.deep.equal(made);
    const { revoked_at } = (await revoke(made.id)).json;
    const { data } = (await owner.api.get('/api-keys')).json;
    expect(data).to.have.length(4);
    expect(data[0]).to.deep.equal({ ...made, revoked_at });
  });

  it('have another name, origins, amounts and description once these are changed, or lifted', async () => {
    const made = await make({ kind: 'public' });
    const bounds = { min_amount_kobo: 20_000, max_amount_kobo: 90_000, description: 'Donation' };
    for (const [body, changed] of [
      [{ name: 'Web store' }, { name: 'Web store' }],
      [{ allowed_origins: ['https://STORE.example', store] }, { allowed_origins: [store] }],
      [{ allowed_origins: null }, { allowed_origins: null }],
      [bounds, bounds],
    ]) {
      Object.assign(made, changed);
      const answer = await change(made.id, body!);
      expect([answer.status, answer.json]).to.deep.equal([200, made]);
    }
    await writingNothing(stack, async () => {
      for (const [field, amount] of Object.entries({
        min_amount_kobo: 90_001,
        max_amount_kobo: 19_999,
      }))
        expectRefused(await change(made.id, { [field]: amount }), 'validation_failed', [field]);
    });
    expect((await change(made.id, unbounded)).json).to.deep.equal({ ...made, ...unbounded });
    expect((await entriesOf(made.id)).slice(1)).to.deep.equal([
      'api_key.changed name',
      `api_key.changed allowed_origins: ${store}`,
      'api_key.changed allowed_origins: any',
      'api_key.changed min_amount_kobo: 20000; max_amount_kobo: 90000; description: Donation',
      'api_key.changed min_amount_kobo: any; max_amount_kobo: any; description: any',
    ]);
  });

  it('refuse bounds for a secret key and invalid ones, naming each, new or changed', async () => {
    const bounds = { min_amount_kobo: 20_000, max_amount_kobo: 20_000, description: 'Donation' };
    expect(await make({ kind: 'public', ...bounds })).to.include(bounds);
    const named = ['https://a.example/', store, 'http://localhost:3000', 'http://b.example'];
    named.push('c.example', 'https://*.d.example', `https://${'a'.repeat(293)}`);
    const wrong = [0, 3, 4, 5, 6].map((index) => `allowed_origins.${index}`);
    const ids = { secret: (await make()).id, public: (await make({ kind: 'public' })).id };
    await writingNothing(stack, async () => {
      for (const [kind, body, fields] of [
        ['secret', { allowed_origins: [store] }, ['allowed_origins']],
        ['public', { allowed_origins: named }, wrong],
        ['secret', bounds, Object.keys(bounds)],
        ['public', { ...bounds, max_amount_kobo: 19_999 }, ['max_amount_kobo']],
      ] as const)
        for (const answer of [await create({ kind, ...body }), await change(ids[kind], body)])
          expectRefused(answer, 'validation_failed', fields);
    });
  });

  it('hold as they are changed from the next request', async () => {
    const { id, key } = await make({ kind: 'public' });
    expect((await chargeWith(key)).status).to.equal(201);
    await change(id, { allowed_origins: [store] });
    await expectRefusal(stack, () => chargeWith(key), 'forbidden');
    expect((await chargeWith(key, { origin: store })).status).to.equal(201);
    await change(id, { allowed_origins: null });
    expect((await chargeWith(key)).status).to.equal(201);
  });

  it('are revoked from the next request; repeated, it has the same answer', async () => {
    const { key, ...made } = await make();
    expect((await chargeWith(key)).status).to.equal(201);
    await stack.context.requestLog.flush();
    const [first] = await runTwice(stack, () => revoke(made.id));
    const { revoked_at, last_used_at, ...rest } = first.json;
    const before = { ...made, key: null };
    expect({ ...rest, revoked_at: null, last_used_at: null }).to.deep.equal(before);
    await expectRefusal(stack, () => chargeWith(key), 'unauthorized');
    expect((await read(made.id)).json).to.deep.equal(first.json);
    expect((await chargeWith(stack.tenant.secret_key_test)).status).to.equal(201);
    await expectRefusal(stack, () => change(made.id, { name: 'Late' }), 'invalid_state');
  });

  describe('are rotated', () => {
    const rotate = (id: string, body: object = {}, options: object = {}) =>
      owner.api.post(`/api-keys/${id}/rotate`, body, options);

    it('into a successor that is alike, while the old one works for as long as was asked', async () => {
      const bounds = { allowed_origins: [store], min_amount_kobo: 10_000, max_amount_kobo: 90_000 };
      const old = await make({ kind: 'public', name: 'Web', ...bounds, description: 'Donation' });
      const answer = await rotate(old.id, { overlap_hours: 72 });
      expect(answer.status).to.equal(201);
      const { id, key, last4, created_at, ...alike } = answer.json;
      expect(old).to.deep.include(alike);
      expect([id, key, last4]).not.to.have.members([old.id, old.key, old.last4]);
      const works = async (which: string) => (await chargeWith(which, { origin: store })).status;
      const { expires_at } = (await read(old.id)).json;
      expect(Date.parse(expires_at) - Date.parse(created_at)).to.equal(72 * HOUR);
      stack.clock.advance(72 * HOUR - MINUTE);
      expect([await works(old.key), await works(key)]).to.deep.equal([201, 201]);
      stack.clock.advance(MINUTE);
      expect([await works(old.key), await works(key)]).to.deep.equal([401, 201]);
      const { api } = await memberOf(stack, stack.tenant, 'developer');
      expectRefused(await api.patch(`/api-keys/${old.id}`, { name: 'Late' }), 'invalid_state');
    });

    it('for a day by default, at once where asked, once, on record', async () => {
      const [{ id, last4 }, leaked] = [await make(), await make()];
      const [made] = await runTwice(stack, () => rotate(id, {}, { idempotencyKey: 'once' }));
      const until = new Date(Date.parse(made.json.created_at) + 24 * HOUR).toISOString();
      expect((await entriesOf(id)).slice(1)).to.deep.equal([
        `api_key.rotated secret …${last4}, which works until ${until}; now …${made.json.last4}`,
      ]);
      await expectRefusal(stack, () => rotate(id), 'invalid_state');
      await rotate(leaked.id, { overlap_hours: 0 });
      await expectRefusal(stack, () => chargeWith(leaked.key), 'unauthorized');
      expect((await read(leaked.id)).json)
        .to.include({ expires_at: null })
        .and.property('revoked_at').not.null;
    });

    it('within the bound on live keys, of which one that ended is none', async () => {
      const { id } = await make();
      await stack.sql`insert into api_keys (id, tenant_id, mode, kind, sha256, last4, created_at,
          expires_at)
        select 'key_' || n, ${stack.tenant.tenant_id}, 'test', 'secret', md5(n::text), '0000',
          ${stack.clock()}, ${new Date(stack.clock().getTime() + HOUR)}
        from generate_series(1, 47) n`;
      await expectRefusal(stack, () => rotate(id), 'invalid_state');
      const leaked = await rotate(id, { overlap_hours: 0 });
      expect(leaked.status, 'one that stops at once makes room').to.equal(201);
      await expectRefusal(stack, () => rotate(leaked.json.id), 'invalid_state');
      stack.clock.advance(HOUR);
      expect((await rotate(leaked.json.id)).status).to.equal(201);
    });
  });

  it('are revoked once, on record, by five simultaneous requests', async () => {
    const { id, last4 } = await make();
    const hold = (sql: Sql) => sql.query('select from api_keys where id = $1 for update', [id]);
    const answers = await whileHeld(stack, hold, () => Array.from({ length: 5 }, () => revoke(id)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    expect((await entriesOf(id)).slice(1)).to.deep.equal([`api_key.revoked secret …${last4}`]);
  });
});
