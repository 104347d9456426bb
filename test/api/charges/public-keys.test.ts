import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { useMember } from '../../support/members.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

const body = { amount_kobo: 10_000, email: 'ada@example.com' };
const store = 'https://shop.example';

describe('A charge may be created', () => {
  const stack = useStack({ workers: false });
  const developer = useMember(stack, 'developer');
  let publicKey: string;
  before(() => {
    publicKey = stack.tenant.public_key_test;
  });

  const create = (key: string, headers: Record<string, string> = {}, more: object = {}) =>
    stack.api.post('/charges', { ...body, ...more }, { key, headers });

  const newPublicKey = async (allowedOrigins?: string[]): Promise<string> =>
    boundKey(allowedOrigins ? { allowed_origins: allowedOrigins } : {});

  const boundKey = async (bounds: object): Promise<string> =>
    (await developer.api.post('/api-keys', { kind: 'public', ...bounds })).json.key;

  const numbersDrawn = async () =>
    (await stack.sql`select last_value, is_called from sv_numbers`)[0];

  async function leavingNoTrace<T>(action: () => Promise<T>): Promise<T> {
    const before = await numbersDrawn();
    const result = await writingNothing(stack, action);
    expect(await numbersDrawn()).to.deep.equal(before);
    return result;
  }

  const withNone = (origins: string[]): Record<string, string>[] => [
    ...[{}, ...origins.map((origin) => ({ origin }))],
  ];

  it('by a public key, a secret key or a member, which the charge records', async () => {
    const keys = {
      ...{ public: publicKey, secret: stack.tenant.secret_key_test, member: developer.token },
    };
    for (const [by, key] of Object.entries(keys))
      expect((await stored(stack, (await create(key)).json)).created_by).to.equal(by);
  });

  describe('with a public key', () => {
    it('with the origin of the page that asked for it, where that is one of the web', async () => {
      const openerOf = async (key: string, headers: Record<string, string>) =>
        (await stored(stack, (await create(key, headers)).json)).opener_origin;
      for (const origin of [store, 'http://localhost:3000'])
        expect(await openerOf(publicKey, { origin })).to.equal(origin);
      const others = ['null', 'file://', `${store}/cart`, 'http://shop.example'];
      others.push(`https://${'a'.repeat(300)}.ng`);
      for (const headers of withNone(others))
        expect(await openerOf(publicKey, headers), JSON.stringify(headers)).to.equal(null);
      expect(await openerOf(stack.tenant.secret_key_test, { origin: store })).to.equal(null);
    });

    it('that leads payers nowhere while the key names no origins: a stranger cannot lend it a link', async () => {
      const asked = { return_url: 'https://evil.example/thanks' };
      const refuse = async (key: string, more: object) => {
        const refused = await leavingNoTrace(() => create(key, { origin: store }, more));
        expectRefused(refused, 'validation_failed', ['return_url']);
        expect(refused.json.error.fields.return_url).to.match(/allowed_origins .*api-keys/);
      };
      await refuse(publicKey, asked);
      await refuse(stack.tenant.public_key_live, asked);
      await refuse(stack.tenant.public_key_live, { return_url: 'http://localhost:3000/thanks' });
      await refuse(publicKey, { return_url: 'https://localhost.evil.example/' });
      for (const host of ['localhost:3000', '127.0.0.1', 'shop.localhost:8080']) {
        const local = { return_url: `http://${host}/thanks` };
        expect((await create(publicKey, {}, local)).status, host).to.equal(201);
      }
      expect((await create(stack.tenant.secret_key_test, {}, asked)).status).to.equal(201);
    });

    it('from the origins the key names and from no other, nor without an Origin', async () => {
      const key = await newPublicKey([store, 'http://localhost:3000']);
      for (const origin of [store, 'http://localhost:3000'])
        expect((await create(key, { origin })).status).to.equal(201);
      const others = ['https://evil.example', 'http://shop.example', `${store}:8443`];
      others.push(`${store}.evil.example`, 'http://localhost', 'null', '');
      for (const headers of withNone(others)) {
        const refused = await leavingNoTrace(() => create(key, headers));
        expectRefused(refused, 'forbidden');
        expect(refused.json.error.message, JSON.stringify(headers)).to.match(/origins/);
      }
    });

    it('and is replayed to no other origin', async () => {
      const key = await newPublicKey([store]);
      const first = await create(key, { origin: store, 'idempotency-key': 'bound' });
      const again = await create(key, { origin: store, 'idempotency-key': 'bound' });
      expect(again.text).to.equal(first.text);
      const refused = await leavingNoTrace(() =>
        create(key, { origin: 'https://evil.example', 'idempotency-key': 'bound' }),
      );
      expectRefused(refused, 'forbidden');
    });

    describe('that bounds what it may be used for', () => {
      const expectOutOfBounds = async (key: string, more: object, field: string) => {
        const refused = await leavingNoTrace(() =>
          create(key, { origin: store, 'idempotency-key': 'bounds' }, more),
        );
        expectRefused(refused, 'validation_failed', [field]);
      };

      it('within its range of amounts', async () => {
        const key = await boundKey({ min_amount_kobo: 20_000, max_amount_kobo: 30_000 });
        for (const amount of [19_999, 30_001])
          await expectOutOfBounds(key, { amount_kobo: amount }, 'amount_kobo');
        for (const amount of [20_000, 30_000])
          expect((await create(key, {}, { amount_kobo: amount })).status).to.equal(201);
        const floor = await boundKey({ min_amount_kobo: 20_000 });
        await expectOutOfBounds(floor, { amount_kobo: 19_999 }, 'amount_kobo');
        const ceiling = await boundKey({ max_amount_kobo: 20_000 });
        await expectOutOfBounds(ceiling, { amount_kobo: 20_001 }, 'amount_kobo');
      });

      it('with a return address at one of its origins, however it is written', async () => {
        const key = await newPublicKey([store]);
        for (const address of [
          'https://evil.example/thanks',
          `${store}.evil.example/`,
          `${store}:8443/`,
          'https://evil.example/?https://shop.example',
        ])
          await expectOutOfBounds(key, { return_url: address }, 'return_url');
        const allowed = { return_url: 'HTTPS://Shop.Example:443/thanks?cart=7' };
        expect((await create(key, { origin: store }, allowed)).status).to.equal(201);
      });

      it('with its description, or none, which then is that', async () => {
        const key = await boundKey({ description: 'Donation' });
        await expectOutOfBounds(key, { description: 'Send your PIN' }, 'description');
        for (const more of [{}, { description: 'Donation' }]) {
          const answer = await create(key, {}, more);
          expect((await stored(stack, answer.json)).description).to.equal('Donation');
        }
      });

      it('and replays what was created before its bounds changed', async () => {
        const { id, key } = (await developer.api.post('/api-keys', { kind: 'public' })).json;
        const headers = { 'idempotency-key': 'before' };
        const first = await create(key, headers);
        await developer.api.patch(`/api-keys/${id}`, { min_amount_kobo: 20_000 });
        expect((await create(key, headers)).text).to.equal(first.text);
        expectRefused(await create(key), 'validation_failed', ['amount_kobo']);
      });
    });

    it('whose Idempotency-Keys are separate from those of other public keys and of secret keys', async () => {
      const keys = [publicKey, await newPublicKey(), stack.tenant.secret_key_test];
      const send = (key: string, amount: number) =>
        create(key, { 'idempotency-key': 'cart-7' }, { amount_kobo: amount });
      const made = await Promise.all(keys.map((key, index) => send(key, 10_000 + index)));
      expect(made.map(({ status }) => status)).to.deep.equal([201, 201, 201]);
      expect(new Set(made.map(({ json }) => json.id)).size).to.equal(3);
      for (const [index, key] of keys.entries()) {
        const again = await writingNothing(stack, () => send(key, 10_000 + index));
        expect(again.text).to.equal(made[index]!.text);
        expect(again.headers.get('idempotent-replayed')).to.equal('true');
        await expectRefusal(stack, () => send(key, 20_000), 'idempotency_conflict');
      }
    });
  });

  it('by a secret key, and is replayed to a member under the same Idempotency-Key: they share one scope', async () => {
    const shared = { 'idempotency-key': 'shared' };
    const first = await create(stack.tenant.secret_key_test, shared);
    const again = await writingNothing(stack, () => create(developer.token, shared));
    expect([again.status, again.text]).to.deep.equal([201, first.text]);
  });

  it('by a member, but not by one who became a viewer or was disabled, from the next request on', async () => {
    const { token, memberId } = developer;
    expect((await create(token)).status).to.equal(201);
    await stack.sql`update members set role = 'viewer' where id = ${memberId}`;
    expectRefused(await leavingNoTrace(() => create(token)), 'forbidden');
    await stack.sql`update members set role = 'owner', disabled_at = now() where id = ${memberId}`;
    expectRefused(await leavingNoTrace(() => create(token)), 'unauthorized');
  });
});
