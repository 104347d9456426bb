import { expect } from 'chai';
import type { Sql } from '../../../domain/shared/sql.ts';
import { auditOf } from '../../support/audit.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { useMember } from '../../support/members.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { runTwice } from '../../support/run-twice.ts';
import { useStack } from '../../support/stack.ts';

const charge = { amount_kobo: 10_000, email: 'ada@example.com' };
const store = 'https://store.example';

describe('API keys', () => {
  const stack = useStack({ workers: false, newTenants: true });
  const owner = useMember(stack, 'owner');

  const make = async (body: object = { kind: 'secret' }) =>
    (await owner.api.post('/api-keys', body)).json;
  const read = (id: string) => owner.api.get(`/api-keys/${id}`);
  const change = (id: string, body: object) => owner.api.patch(`/api-keys/${id}`, body);
  const revoke = (id: string) => owner.api.remove(`/api-keys/${id}`);
  const chargeWith = (key: string, headers: Record<string, string> = {}) =>
    stack.api.post('/charges', charge, { key, headers });

  describe('reading', () => {
    it('shows a key without its secret', async () => {
      const { key, ...made } = await make({
        kind: 'public',
        name: 'Web store',
        allowed_origins: [store],
      });
      const answer = await read(made.id);
      expect([answer.status, answer.json]).to.deep.equal([200, made]);
      expect(answer.text).not.to.include(key);
    });

    it('lists revoked ones too', async () => {
      const { id } = await make();
      const { revoked_at } = (await revoke(id)).json;
      const { data } = (await owner.api.get('/api-keys')).json;
      expect(data).to.have.length(3);
      expect(data[0]).to.include({ id, revoked_at });
    });
  });

  describe('changing', () => {
    it('changes the name and the origins of a key', async () => {
      const { key: _key, ...made } = await make({ kind: 'public' });
      const renamed = await change(made.id, { name: 'Web store' });
      expect([renamed.status, renamed.json]).to.deep.equal([200, { ...made, name: 'Web store' }]);
      const bound = await change(made.id, { allowed_origins: ['https://STORE.example', store] });
      expect(bound.json).to.deep.equal({ ...made, name: 'Web store', allowed_origins: [store] });
      expect((await change(made.id, { allowed_origins: null })).json).to.deep.equal({
        ...made,
        name: 'Web store',
      });
      expect((await auditOf(stack, made.id)).slice(1)).to.deep.equal([
        { actor: owner.memberId, action: 'api_key.changed', detail: 'name' },
        { actor: owner.memberId, action: 'api_key.changed', detail: `allowed_origins: ${store}` },
        { actor: owner.memberId, action: 'api_key.changed', detail: 'allowed_origins: any' },
      ]);
    });

    it('changes and lifts the amounts and the description of a public key', async () => {
      const { key: _key, ...made } = await make({ kind: 'public' });
      const bounds = { min_amount_kobo: 20_000, max_amount_kobo: 90_000, description: 'Donation' };
      expect((await change(made.id, bounds)).json).to.deep.equal({ ...made, ...bounds });
      await writingNothing(stack, async () => {
        for (const [field, amount] of [
          ['min_amount_kobo', 90_001],
          ['max_amount_kobo', 19_999],
        ] as const)
          expectRefused(await change(made.id, { [field]: amount }), 'validation_failed', [field]);
      });
      const none = { min_amount_kobo: null, max_amount_kobo: null, description: null };
      expect((await change(made.id, none)).json).to.deep.equal(made);
      expect((await auditOf(stack, made.id)).slice(1).map(({ detail }) => detail)).to.deep.equal([
        'min_amount_kobo: 20000; max_amount_kobo: 90000; description: Donation',
        'min_amount_kobo: any; max_amount_kobo: any; description: any',
      ]);
    });

    it('holds from the next request', async () => {
      const { id, key } = await make({ kind: 'public' });
      expect((await chargeWith(key)).status).to.equal(201);
      await change(id, { allowed_origins: [store] });
      await expectRefusal(stack, () => chargeWith(key), 'forbidden');
      expect((await chargeWith(key, { origin: store })).status).to.equal(201);
      await change(id, { allowed_origins: null });
      expect((await chargeWith(key)).status).to.equal(201);
    });

    it('refuses origins for a secret key and invalid origins, naming each', async () => {
      const [secret, open] = [await make(), await make({ kind: 'public' })];
      await writingNothing(stack, async () => {
        const none = await change(secret.id, { allowed_origins: [store] });
        expectRefused(none, 'validation_failed', ['allowed_origins']);
        const path = await change(open.id, { allowed_origins: [store, `${store}/`] });
        expectRefused(path, 'validation_failed', ['allowed_origins.1']);
      });
    });

    it('is refused once the key is revoked', async () => {
      const { id } = await make();
      await revoke(id);
      await expectRefusal(stack, () => change(id, { name: 'Late' }), 'invalid_state');
    });
  });

  describe('revoking', () => {
    it('is effective from the next request; repeated, it has the same answer', async () => {
      const { key, ...made } = await make();
      expect((await chargeWith(key)).status).to.equal(201);
      const [first] = await runTwice(stack, () => revoke(made.id));
      const { revoked_at, ...rest } = first.json;
      expect({ ...rest, revoked_at: null }).to.deep.equal(made);
      await expectRefusal(stack, () => chargeWith(key), 'unauthorized');
      expect((await read(made.id)).json).to.deep.equal(first.json);
      expect((await chargeWith(stack.tenant.secret_key_test)).status).to.equal(201);
    });

    it('is recorded in the audit log once for five simultaneous requests', async () => {
      const { id, last4 } = await make();
      const hold = (sql: Sql) => sql.query('select from api_keys where id = $1 for update', [id]);
      const answers = await whileHeld(stack, hold, () =>
        Array.from({ length: 5 }, () => revoke(id)),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
      expect((await auditOf(stack, id)).slice(1)).to.deep.equal([
        { actor: owner.memberId, action: 'api_key.revoked', detail: `secret …${last4}` },
      ]);
    });
  });
});
