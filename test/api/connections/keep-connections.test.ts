import { expect } from 'chai';
import { findConnection, openCredentials } from '../../../domain/accounts/connection/connection.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import { MINUTE_MS } from '../../../domain/shared/units.ts';
import { findAccount } from '../../../scripts/sandbox/accounts.ts';
import type { Answer } from '../../support/api.ts';
import { auditOf } from '../../support/audit.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal } from '../../support/contract.ts';
import { memberOf, useMember } from '../../support/members.ts';
import {
  callSandboxAsPaystack,
  newPaystackKey,
  openAccount,
} from '../../support/paystack-account.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { withShortTimeouts } from '../../support/short-timeouts.ts';
import { useStack } from '../../support/stack.ts';

const order = { amount_kobo: 10_000, email: 'ada@example.com' };

describe('Connections', () => {
  const slots = { provider_a: 'paystack', provider_b: 'paystack', provider_c: null };
  const stack = useStack({ workers: false, env: { slots }, newTenants: { connected: false } });
  const owner = useMember(stack, 'owner');
  let key: string;
  let made: Answer['json'];
  before(() => {
    callSandboxAsPaystack(stack);
  });
  beforeEach(async () => {
    key = await openAccount(stack);
    made = await connect(key);
  });
  afterEach(() => stack.control.faults());

  const connect = async (secretKey: string, provider = 'provider_a') =>
    (await owner.api.post('/connections', { provider, credentials: { secret_key: secretKey } }))
      .json;
  const read = (id: string) => owner.api.get(`/connections/${id}`);
  const change = (id: string, body: object) => owner.api.patch(`/connections/${id}`, body);
  const check = (id: string) => owner.api.post(`/connections/${id}/check`);
  const charge = (more: object = {}) => stack.api.post('/charges', { ...order, ...more });
  const keyOf = async (id: string) =>
    openCredentials(stack.context.vault, (await findConnection(stack.context.db, id))!).secret_key;
  const closeAccount = (secretKey: string) => {
    const { account: accounts } = stack.sandbox.store;
    const account = findAccount(stack.sandbox.store, 'paystack', secretKey)!;
    accounts.change(account, { secretKey: newPaystackKey() });
  };

  describe('read', () => {
    it('have the answer of their creation, without their secrets', async () => {
      const answer = await read(made.id);
      expect([answer.status, answer.json]).to.deep.equal([200, made]);
      expect(answer.text).not.to.include(key);
    });

    it('include disabled ones', async () => {
      await change(made.id, { status: 'disabled' });
      const second = await connect(await openAccount(stack), 'provider_b');
      const { data } = (await owner.api.get('/connections')).json;
      expect(data).to.deep.equal([second, { ...made, status: 'disabled' }]);
    });
  });

  describe('disabled', () => {
    it('are used by no charge from the next request on, until they are enabled again', async () => {
      expect((await charge()).status).to.equal(201);
      const disabled = await change(made.id, { status: 'disabled' });
      expect(disabled.json).to.deep.equal({ ...made, status: 'disabled' });
      for (const more of [{}, { provider: 'provider_a' }])
        await expectRefusal(stack, () => charge(more), 'no_provider');
      expect((await change(made.id, { status: 'enabled' })).json).to.deep.equal(made);
      expect((await charge()).status).to.equal(201);
    });

    it('stay as they are when disabled again', async () => {
      await change(made.id, { status: 'disabled' });
      const since = (await findConnection(stack.context.db, made.id))!.disabled_at;
      const again = await writingNothing(stack, () => change(made.id, { status: 'disabled' }));
      expect(again.json.status).to.equal('disabled');
      await change(made.id, { position: 5 });
      expect((await findConnection(stack.context.db, made.id))!.disabled_at).to.deep.equal(since);
    });

    it('leave the charges of auto to the next in order', async () => {
      await connect(await openAccount(stack), 'provider_b');
      expect((await charge()).json.provider).to.equal('provider_a');
      for (const [body, provider] of [
        [{ position: 3 }, 'provider_b'],
        [{ position: 1 }, 'provider_a'],
        [{ status: 'disabled' }, 'provider_b'],
      ] as const) {
        await change(made.id, body);
        expect((await charge()).json.provider).to.equal(provider);
      }
    });
  });

  describe('given new credentials', () => {
    it('use them once the provider has accepted them', async () => {
      const renewed = await openAccount(stack);
      const answer = await change(made.id, { credentials: { secret_key: renewed } });
      const credentials = { secret_key: `…${renewed.slice(-4)}` };
      expect(answer.json).to.deep.equal({ ...made, credentials });
      expect(await keyOf(made.id)).to.equal(renewed);
      closeAccount(key);
      expect((await check(made.id)).json.ok).to.equal(true);
    });

    it('keep the old ones when the new ones are refused, malformed, of the other mode or unanswered', async () => {
      const bad: [credentials: object, field: string][] = [
        [{ secret_key: newPaystackKey() }, 'credentials'],
        [{ secret_key: newPaystackKey('live') }, 'credentials.secret_key'],
        [{}, 'credentials.secret_key'],
        [{ secret_key: key, token: 'x' }, 'credentials.token'],
      ];
      for (const [credentials, field] of bad) {
        const send = () => change(made.id, { credentials, position: 9 });
        await expectRefusal(stack, send, 'validation_failed', [field]);
      }
      const slow = { credentials: { secret_key: await openAccount(stack) }, status: 'disabled' };
      await stack.control.faults({ latency_ms: MINUTE_MS });
      await withShortTimeouts(stack, ['credentialsMs'], () =>
        expectRefusal(stack, () => change(made.id, slow), 'unavailable'),
      );
      expect((await read(made.id)).json).to.deep.equal(made);
      expect(await keyOf(made.id)).to.equal(key);
    });

    it('stay in the sandbox if they are of the sandbox', async () => {
      const { api } = await memberOf(stack, await stack.newTenant(), 'owner');
      const { data } = (await api.get('/connections?limit=1')).json;
      const renewed = await openAccount(stack);
      const nobody = 'http://127.0.0.1:9';
      stack.context.env.baseUrls.paystack = { test: nobody, live: nobody };
      const body = { credentials: { secret_key: renewed } };
      const answer = await api.patch(`/connections/${data[0].id}`, body);
      callSandboxAsPaystack(stack);
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.json).to.deep.equal({
        ...data[0],
        credentials: { secret_key: `…${renewed.slice(-4)}` },
      });
    });
  });

  describe('checked', () => {
    const checked = async () => {
      const { status, json } = await writingNothing(stack, () => check(made.id));
      expect(status).to.equal(200);
      const { checked_at, ...rest } = json;
      return rest;
    };

    it('show that the provider accepts the credentials', async () => {
      expect(await checked()).to.deep.equal({
        object: 'connection_check',
        ok: true,
        message: 'The provider accepts the credentials.',
      });
      await change(made.id, { status: 'disabled' });
      expect((await checked()).ok).to.equal(true);
    });

    it('show that the provider refuses them, with its message', async () => {
      closeAccount(key);
      const message =
        'The provider refuses the credentials: Paystack does not accept the secret key: Invalid key.';
      expect(await checked()).to.deep.equal({ object: 'connection_check', ok: false, message });
    });

    it('show within seconds that the provider does not answer', async () => {
      const message =
        'The provider did not answer, so nothing is known about the credentials. Try again shortly.';
      for (const faults of [{ latency_ms: MINUTE_MS }, { error_rate: 1 }]) {
        await stack.control.faults(faults);
        const found = await withShortTimeouts(stack, ['credentialsMs'], checked);
        expect(found).to.deep.equal({ object: 'connection_check', ok: false, message });
      }
    });
  });

  it('keep every change of simultaneous requests', async () => {
    const hold = (sql: Sql) =>
      sql.query('select from connections where id = $1 for update', [made.id]);
    await whileHeld(stack, hold, () => [
      change(made.id, { position: 4 }),
      change(made.id, { status: 'disabled' }),
    ]);
    expect((await read(made.id)).json).to.deep.equal({ ...made, position: 4, status: 'disabled' });
  });

  it('have every change in the audit log, without secrets', async () => {
    const renewed = await openAccount(stack);
    const credentials = { secret_key: renewed };
    await change(made.id, { credentials, status: 'disabled', position: 2 });
    const entries = await auditOf(stack, made.id);
    const detail = 'credentials; status: disabled; position: 2';
    const entry = { actor: owner.memberId, action: 'connection.changed', detail };
    expect(entries.slice(1)).to.deep.equal([entry]);
    for (const secret of [key, renewed]) expect(JSON.stringify(entries)).not.to.include(secret);
  });
});
