import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { findConnection, openCredentials } from '../../../domain/accounts/connection/connection.ts';
import { MINUTE_MS } from '../../../domain/shared/units.ts';
import { auditOf } from '../../support/audit.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { memberOf, useMember } from '../../support/members.ts';
import {
  callSandboxAsPaystack,
  newPaystackKey,
  openAccount,
} from '../../support/paystack-account.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { withShortTimeouts } from '../../support/short-timeouts.ts';
import { useStack } from '../../support/stack.ts';

describe('POST /connections', () => {
  const slots = { provider_a: 'paystack', provider_b: 'paystack', provider_c: null };
  const stack = useStack({ workers: false, env: { slots }, newTenants: { connected: false } });
  const owner = useMember(stack, 'owner');
  before(() => {
    callSandboxAsPaystack(stack);
  });
  afterEach(() => stack.control.faults());

  const create = (body: object, options: { key?: string; idempotencyKey?: string } = {}) =>
    owner.api.post('/connections', body, options);
  const at = (secretKey: string, provider = 'provider_a', more: object = {}) => ({
    provider,
    credentials: { secret_key: secretKey },
    ...more,
  });

  const IDLE = `pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`;

  it('connects an account, masks its key and shows its notification address', async () => {
    const key = await openAccount(stack);
    const answer = await create(at(key));
    expect(answer.status, answer.text).to.equal(201);
    const { id, created_at, ...rest } = answer.json;
    expect(rest).to.deep.equal({
      ...{ object: 'connection', provider: 'provider_a', adapter: 'paystack', mode: 'test' },
      ...{ status: 'enabled', position: 1, sandbox: false },
      credentials: { secret_key: `…${key.slice(-4)}` },
      notification_url: `${stack.context.env.publicUrl}/notifications/${id}`,
      credentials_refused_at: null,
    });
  });

  it('seals the key for this connection, and keeps it out of the audit log', async () => {
    const { token, memberId } = owner;
    const key = await openAccount(stack);
    const { id } = (await create(at(key), { key: token, idempotencyKey: 'sealed' })).json;
    const row = (await findConnection(stack.context.db, id))!;
    expect(openCredentials(stack.context.vault, row)).to.deep.equal({ secret_key: key });
    expect(() => openCredentials(stack.context.vault, { ...row, mode: 'live' })).to.throw(
      /does not open/,
    );
    expect(await auditOf(stack, id)).to.deep.equal([
      { actor: memberId, action: 'connection.created', detail: 'provider_a, paystack' },
    ]);
    const remembered = await stack.sql`select * from idempotency_keys where key = 'sealed'`;
    expect(JSON.stringify([row, remembered, await auditOf(stack, id)])).not.to.include(key);
  });

  it('is in the mode of the token, and refuses credentials of the other mode', async () => {
    const live = (await memberOf(stack, stack.tenant, 'owner', 'live')).token;
    const [testKey, liveKey] = [
      await openAccount(stack),
      await openAccount(stack, { mode: 'live' }),
    ];
    for (const [key, token, said] of [
      [liveKey, owner.token, /is a live key/],
      [testKey, live, /is a test key/],
    ] as const) {
      const field = 'credentials.secret_key';
      const refuse = () => create(at(key), { key: token });
      const refused = await expectRefusal(stack, refuse, 'validation_failed', [field]);
      expect(refused.json.error.fields[field]).to.match(said);
    }
    expect((await create(at(testKey))).json.mode).to.equal('test');
    expect((await create(at(liveKey), { key: live })).json.mode).to.equal('live');
  });

  it('has the last position, or the given one', async () => {
    const first = await create(at(await openAccount(stack), 'provider_b', { position: 7 }));
    expect([first.status, first.json.position]).to.deep.equal([201, 7]);
    const second = await create(at(await openAccount(stack)));
    expect([second.status, second.json.position]).to.deep.equal([201, 8]);
  });

  it('refuses malformed credentials by name, without a call', async () => {
    await stack.control.faults({ error_rate: 1 }); // who asks is answered 503
    const key = newPaystackKey();
    // What each provider's credentials are: test/domain/providers/credentials.test.ts.
    const bad: [credentials: object, field: string][] = [
      ...[undefined, 7, '', `sk_test_${'a'.repeat(193)}`, `${key}\0`].map(
        (secret_key): [object, string] => [{ secret_key }, 'credentials.secret_key'],
      ),
      [{ secret_key: key, public_key: 'x' }, 'credentials.public_key'],
    ];
    await writingNothing(stack, async () => {
      for (const [credentials, field] of bad)
        expectRefused(await create({ provider: 'provider_a', credentials }), 'validation_failed', [
          field,
        ]);
      const noProvider = await create(at(key, 'provider_c')); // none is behind this slot
      expectRefused(noProvider, 'validation_failed', ['provider']);
    });
  });

  it('refuses credentials the provider refuses, with its message, without the key; the Idempotency-Key is not used up', async () => {
    const secretKey = newPaystackKey();
    const mistyped = () => create(at(secretKey), { idempotencyKey: 'mistyped' });
    const refused = await expectRefusal(stack, mistyped, 'validation_failed', ['credentials']);
    expect(refused.json.error.fields.credentials).to.equal(
      'are refused: Paystack does not accept the secret key: Invalid key',
    );
    expect(refused.text).not.to.include(secretKey);
    await openAccount(stack, { secretKey });
    expect((await mistyped()).status).to.equal(201);
  });

  it('saves nothing when the provider does not answer in time, and holds no transaction open meanwhile', async () => {
    const secretKey = await openAccount(stack);
    await stack.control.faults({ latency_ms: MINUTE_MS });
    let [waiting, open] = [true, 0];
    const slowly = () => create(at(secretKey), { idempotencyKey: 'slow' });
    const pending = withShortTimeouts(stack, ['credentialsMs'], () =>
      writingNothing(stack, slowly),
    ).finally(() => {
      waiting = false;
    });
    for (; waiting; await setImmediate()) open += await stack.count(IDLE);
    const refused = await pending;
    expect(open).to.equal(0);
    expectRefused(refused, 'unavailable');
    expect(refused.json.error.message).to.match(/provider did not answer; nothing was saved/);
    expect(Number(refused.headers.get('retry-after'))).to.be.greaterThan(0);
    await stack.control.faults();
    expect((await slowly()).status).to.equal(201);
  });

  for (const [what, faults] of [
    ['fails', { error_rate: 1 }],
    ['takes no more calls', { rate_limit_rate: 1 }],
  ] as const)
    it(`saves nothing when the provider ${what}`, async () => {
      const secretKey = await openAccount(stack);
      await stack.control.faults(faults);
      const refused = await expectRefusal(stack, () => create(at(secretKey)), 'unavailable');
      expect(refused.json.error.message).to.match(/nothing was saved/);
    });

  it('is the only one of its slot in a mode: another is 409 and names it, without a call', async () => {
    const { id } = (await create(at(await openAccount(stack)))).json;
    await stack.control.faults({ error_rate: 1 });
    const refused = await expectRefusal(stack, () => create(at(newPaystackKey())), 'invalid_state');
    expect(refused.json.error.message).to.include('provider_a').and.include(id);
  });

  it('is the only one of its slot for five simultaneous requests', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => openAccount(stack)));
    const answers = await Promise.all(
      keys.map((secretKey, index) => create(at(secretKey), { idempotencyKey: `race-${index}` })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409, 409]);
    for (const answer of answers.filter(({ status }) => status === 409))
      expectRefused(answer, 'invalid_state');
    const { data } = (await owner.api.get('/connections')).json;
    expect(data).to.have.length(1);
  });
});
