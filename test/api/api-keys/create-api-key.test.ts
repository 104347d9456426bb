import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

const origins = ['https://shop.example', 'http://localhost:3000'];

describe('POST /api-keys', () => {
  const stack = useStack({ workers: false });
  let developer: SignedIn;
  before(async () => {
    developer = await memberOf(stack, stack.tenant, 'developer');
  });

  const create = (body: object, key = developer.token, idempotencyKey?: string) =>
    stack.api.post(
      '/api-keys',
      body,
      idempotencyKey === undefined ? { key } : { key, idempotencyKey },
    );

  it('creates a key of the token’s mode, shows it once, and stores only its hash', async () => {
    for (const mode of ['test', 'live'] as const) {
      const { token } = await memberOf(stack, stack.tenant, 'owner', mode);
      const answer = await create({ kind: 'secret', name: 'SettlementFixture 4' }, token);
      expect(answer.status).to.equal(201);
      const { id, key, created_at, ...rest } = answer.json;
      expect(key).to.match(new RegExp(`^svc_sk_${mode}_[0-9a-z]{36}$`));
      expect(rest).to.deep.equal({
        ...{
          object: 'api_key',
          kind: 'secret',
          mode,
          name: 'SettlementFixture 4',
          last4: key.slice(-4),
          allowed_origins: null,
          min_amount_kobo: null,
          max_amount_kobo: null,
          description: null,
          revoked_at: null,
        },
      });
      const [row] = await stack.context.db.query('select * from api_keys where id = $1', [id]);
      expect(JSON.stringify(row)).not.to.include(key);
    }
  });

  it('creates a public key for any web origin or for the named ones, normalised and without repeats', async () => {
    const anywhere = (await create({ kind: 'public' })).json;
    expect(anywhere.key).to.match(/^svc_pk_test_/);
    expect(anywhere.allowed_origins).to.equal(null);
    const named = [
      'HTTPS://Shop.Example:443',
      'https://shop.example',
      'http://localhost:3000',
      'https://bücher.example',
    ];
    const { allowed_origins } = (await create({ kind: 'public', allowed_origins: named })).json;
    expect(allowed_origins).to.deep.equal([...origins, 'https://xn--bcher-kva.example']);
  });

  it('records who created it in the audit log, without the key', async () => {
    const { id, key } = (await create({ kind: 'public' })).json;
    expect(await auditOf(stack, id)).to.deep.equal([
      { actor: developer.memberId, action: 'api_key.created', detail: `public …${key.slice(-4)}` },
    ]);
  });

  it('refuses origins for a secret key and invalid origins, naming each', async () => {
    const named = ['https://a.example/', ...origins, 'http://b.example', 'c.example'];
    named.push('https://*.d.example', `https://${'a'.repeat(293)}`);
    const wrong = [0, 3, 4, 5, 6].map((index) => `allowed_origins.${index}`);
    await writingNothing(stack, async () => {
      const secret = await create({ kind: 'secret', allowed_origins: origins });
      expectRefused(secret, 'validation_failed', ['allowed_origins']);
      const open = await create({ kind: 'public', allowed_origins: named });
      expectRefused(open, 'validation_failed', wrong);
    });
  });

  it('bounds the amounts and the description of a public key, and of no secret one', async () => {
    const bounds = { min_amount_kobo: 20_000, max_amount_kobo: 20_000, description: 'Donation' };
    expect((await create({ kind: 'public', ...bounds })).json).to.include(bounds);
    await writingNothing(stack, async () => {
      const secret = await create({ kind: 'secret', ...bounds });
      expectRefused(secret, 'validation_failed', Object.keys(bounds));
      const empty = await create({ kind: 'public', ...bounds, max_amount_kobo: 19_999 });
      expectRefused(empty, 'validation_failed', ['max_amount_kobo']);
    });
  });

  it('allows 50 live keys of a tenant and mode, also for simultaneous requests; a refusal uses up no Idempotency-Key', async () => {
    const tenant = await stack.newTenant();
    const { token } = await memberOf(stack, tenant, 'developer');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => create({ kind: 'secret' }, token, `k${index}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.length(48); // a tenant begins with two
    const refused = answers.findIndex(({ status }) => status !== 201);
    expectRefused(answers[refused]!, 'invalid_state');
    expect(answers.filter(({ status }) => status === 409)).to.have.length(12);
    const live = await memberOf(stack, tenant, 'developer', 'live');
    expect((await create({ kind: 'secret' }, live.token)).status).to.equal(201);
    const made = answers.find(({ status }) => status === 201)!.json;
    await stack.api.remove(`/api-keys/${made.id}`, { key: token });
    expect((await create({ kind: 'secret' }, token, `k${refused}`)).status).to.equal(201);
    await expectRefusal(stack, () => create({ kind: 'secret' }, token), 'invalid_state');
  });
});
