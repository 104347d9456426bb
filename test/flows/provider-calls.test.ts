import { expect } from 'chai';
import { openContext } from '../../config/context.ts';
import type { Env } from '../../config/env.ts';
import { rateLimits } from '../../config/limits/rate-limits.ts';
import type { StoredConnection } from '../../domain/accounts/connection/connection.ts';
import { queues } from '../../domain/jobs.ts';
import type { ProviderError } from '../../domain/providers/port/provider-error.ts';
import { freePort } from '../../scripts/local/free-port.ts';
import { answerCalls } from '../support/answer-calls.ts';
import { newCharge, openCharge, stored } from '../support/charges.ts';
import { MINUTE, SECOND } from '../support/clock.ts';
import { memberOf } from '../support/members.ts';
import { openAtProvider } from '../support/open-at-provider.ts';
import { rawRequest } from '../support/raw-http.ts';
import { generousLimits, startStack } from '../support/stack.ts';

describe('A call budget that is used up', () => {
  it('delays payments: no try is used up and no charge fails', async () => {
    await using stack = await startStack({
      env: { budgets: { sandbox: { test: { perMinute: 3 } } } },
    });
    const charges = [];
    for (let made = 0; made < 5; made++) charges.push(await newCharge(stack));
    await stack.settle();
    const attempts = await stack.sql`select * from attempts order by status, id`;
    const statuses = attempts.map(({ status }) => status);
    expect(statuses).to.deep.equal([...Array(3).fill('open'), ...Array(2).fill('queued')]);
    for (const waiting of attempts.slice(3))
      expect(waiting).to.include({ tries: 1, snoozes: 1, sent_at: null });
    expect((await stack.control.stats()).paystack!.creates).to.equal(3);
    expect(stack.context.openBreakers()).to.deep.equal([]);
  });
});

/** Ten strangers, each from a network of its own. */
const networks = Array.from({ length: 10 }, (_, n) => `203.0.113.${n + 1}`);
const { payVisit, payQuestion } = rateLimits;

describe('A checkout that strangers load from ten networks', () => {
  it('spends ten calls a minute', async () => {
    const limits = { ...generousLimits, payVisit, payQuestion };
    await using stack = await startStack({
      workers: false,
      env: { rateLimits: limits, trustProxy: 'loopback' },
    });
    const verifies = async () => (await stack.control.stats()).paystack!.verifies;
    const { id, reference } = await newCharge(stack);
    await openAtProvider(stack, reference);
    const before = await verifies();
    for (const network of [...networks, ...networks, ...networks]) {
      stack.clock.advance(SECOND);
      const headers = { 'x-forwarded-for': network };
      const path = `/pay/${id}?returned=1`; // as a payer who returned
      expect((await rawRequest(stack, { path, headers })).status).to.equal(200);
    }
    expect((await verifies()) - before).to.equal(payQuestion.points);
  });
});

describe('With Redis away', () => {
  it('two processes together make no more calls to a provider than its budget, whichever calls more', async () => {
    await using stack = await startStack({ workers: false, env: { apiProcesses: 1 } });
    const [connection] = await stack.sql<StoredConnection>`select * from connections
      where slot = 'provider_a'`;
    const env: Env = {
      ...stack.context.env,
      redisUrl: `redis://127.0.0.1:${await freePort()}`,
      providerProcesses: 2,
      budgets: { sandbox: { test: { perMinute: 30 } } },
    };
    let calls = 0;
    using _answering = answerCalls(async () => {
      calls++;
      return Response.json({ status: true, message: 'Balances retrieved', data: [] });
    });
    const ask = async (asked: number) => {
      await using context = await openContext(env, { clock: stack.clock, log: stack.context.log });
      const provider = context.providerOf(connection!, 'send');
      const before = calls;
      for (let n = 0; n < asked; n++)
        await provider
          .checkCredentials({ timeoutMs: 5_000 })
          .catch((error: ProviderError) => expect(error.kind).to.equal('limited'));
      return calls - before;
    };
    expect([await ask(40), await ask(20)]).to.deep.equal([15, 15]);
  });
});

describe('A provider key that was revoked', () => {
  it('costs few calls, however many charges are open, is shown, and heals without a hand', async () => {
    await using stack = await startStack({ lists: true });
    const { token } = await memberOf(stack, stack.tenant, 'owner');
    const refusedAt = async () => {
      const { json } = await stack.api.get('/connections', { key: token });
      return json.data.find(({ provider }: { provider: string }) => provider === 'provider_a')
        .credentials_refused_at;
    };
    const accounts = stack.sandbox.store.account;
    const revoke = (from: string, to: string) => {
      for (const account of accounts.find('all'))
        if (account.provider === 'paystack')
          accounts.change(account, { secretKey: account.secretKey.replace(from, to) });
    };

    const charges = await Promise.all(Array.from({ length: 30 }, () => openCharge(stack)));
    expect(await refusedAt()).to.equal(null);
    revoke('sk_test_', 'revoked_');
    using refusals = countRefusals();
    const atOnce = queues['charge-check'].concurrency;
    await stack.pass(11 * SECOND);
    const since = await refusedAt();
    expect(since).to.be.a('string');
    for (let minute = 0; minute < 8; minute++) await stack.pass(MINUTE);
    // Those that were under way together, then one after 1 and one after 5 minutes.
    expect(refusals.count).to.be.within(3, atOnce + 2);
    expect(await refusedAt()).to.equal(since);

    await stack.control.pay(charges[7]!.reference, { notify: false });
    revoke('revoked_', 'sk_test_');
    for (let step = 0; step < 6; step++) await stack.pass(10 * MINUTE);
    expect(await refusedAt()).to.equal(null);
    expect(await stored(stack, charges[7]!)).to.include({ status: 'succeeded' });
  });
});

function countRefusals(): { count: number } & Disposable {
  const refusals = { count: 0 };
  const counting = answerCalls(async (url, init) => {
    const answer = await fetch(url, init);
    if (answer.status === 401) refusals.count++;
    return answer;
  });
  return Object.assign(refusals, counting);
}
