import { expect } from 'chai';
import type { Env } from '../../config/env.ts';
import { breakerRules } from '../../domain/providers/breaker.ts';
import { apiClient } from '../support/api.ts';
import { newCharge, openCharge, stored } from '../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../support/clock.ts';
import {
  type FaultyProvider,
  faultyProvider,
  limiting,
  refusing,
} from '../support/faulty-provider.ts';
import { resetStack } from '../support/reset-stack.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** Three connections at one provider. */
const slots = { provider_a: 'paystack', provider_b: 'paystack', provider_c: 'paystack' };
const OPEN_FOR_LONG = { ...breakerRules, minimumCalls: 3, openMs: 3_600_000, minimumTimeoutMs: 0 };
/** An open breaker is half-open at once. */
const OPEN_BRIEFLY = { ...OPEN_FOR_LONG, openMs: 1 };
const OPEN_FOR_A_MOMENT = { ...OPEN_FOR_LONG, openMs: 50 };

describe('Failover', () => {
  const stacks = new Map<Env['breaker'], Stack>();
  let stack: Stack;
  let first: FaultyProvider;
  /** A new tenant with connections of its own, and so with closed breakers, on a shared stack. */
  const start = async (breaker = OPEN_FOR_LONG) => {
    const shared = stacks.get(breaker) ?? (await startStack({ env: { slots, breaker } }));
    stacks.set(breaker, shared);
    const tenant = await shared.newTenant();
    stack = { ...shared, tenant, api: apiClient(shared.baseUrl, tenant.secret_key_test) };
    first = await faultyProvider(stack, 'provider_a');
  };
  afterEach(async () => {
    await expectNoLeaks(stack);
    first.behaviour = 'working';
    await resetStack(stack);
    await first[Symbol.asyncDispose]();
  });
  after(async () => {
    for (const shared of stacks.values()) await shared[Symbol.asyncDispose]();
  });

  const connectionIn = async (slot: string) => {
    const [row] = await stack.context.db.query<{ id: string }>(
      'select id from connections where slot = $1 and tenant_id = $2',
      [slot, stack.tenant.tenant_id],
    );
    return row!.id;
  };
  /** The slots of the tenant's connections whose breakers are open. */
  const openBreakers = async () => {
    const rows = await stack.context.db.query<{ slot: string }>(
      'select slot from connections where id = any($1) and tenant_id = $2',
      [stack.context.openBreakers(), stack.tenant.tenant_id],
    );
    return rows.map(({ slot }) => slot);
  };
  /**
   * Lets the first connection fail until its breaker opens. Returns a charge that waits, because its
   * payment may exist.
   */
  const openFirstBreaker = async () => {
    first.behaviour = 'failing';
    const charge = await newCharge(stack, { provider: 'provider_a' });
    await stack.settle();
    for (let round = 0; round < 3; round++) {
      stack.clock.advance(10 * SECOND);
      await stack.settle();
    }
    return charge;
  };
  const slotsOf = async (charge: { reference: string }) =>
    (await stored(stack, charge)).attempts.map(({ slot, status }) => [slot, status]);
  const creates = () => first.requests.filter((call) => call.startsWith('POST')).length;
  const linkOf = async (charge: { checkout_url: string }) =>
    (await (await fetch(charge.checkout_url)).text()).match(/data-next="([^"]*)"/)![1];

  it('creates the payment at the next connection while the first one’s breaker is open', async () => {
    await start();
    await openFirstBreaker();
    expect(await openBreakers()).to.deep.equal(['provider_a']);
    const before = first.requests.length;
    const charge = await openCharge(stack);
    expect(await slotsOf(charge)).to.deep.equal([['provider_b', 'open']]);
    expect(first.requests).to.have.length(before);
    const { json } = await stack.api.get(`/charges/${charge.reference}`);
    expect(json).to.include({ provider: 'provider_b', status: 'open' });
    const timeline = await stack.api.get(`/charges/${charge.reference}/timeline`);
    expect(JSON.stringify(timeline.json))
      .to.include('attempt.passed_over')
      .and.to.include('Nothing was sent to provider_a');
    await stack.control.pay(charge.reference);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', slot: 'provider_b' });
  });

  it('leaves a charge at the slot it names: it waits, and uses up no try', async () => {
    await start();
    await openFirstBreaker();
    const before = first.requests.length;
    const charge = await newCharge(stack, { provider: 'provider_a' });
    for (let round = 0; round < 5; round++) {
      await stack.settle();
      stack.clock.advance(MINUTE);
    }
    expect(await slotsOf(charge)).to.deep.equal([['provider_a', 'queued']]);
    const [attempt] = (await stored(stack, charge)).attempts;
    expect(attempt!.snoozes).to.be.greaterThan(2).and.to.equal(attempt!.tries);
    expect(first.requests).to.have.length(before);
  });

  it('waits while every breaker is open: no charge fails and no try is used up', async () => {
    await start();
    await stack.context.db.query(
      `update connections set disabled_at = $1 where slot <> 'provider_a'`,
      [stack.clock()],
    );
    await openFirstBreaker();
    const before = first.requests.length;
    const charge = await newCharge(stack);
    for (let round = 0; round < 5; round++) {
      await stack.settle();
      stack.clock.advance(MINUTE);
    }
    const { status, attempts } = await stored(stack, charge);
    expect(status).to.equal('initiated');
    expect(attempts).to.have.length(1);
    expect(attempts[0]).to.include({ status: 'queued', sent_at: null });
    expect(attempts[0]!.snoozes).to.be.greaterThan(2).and.to.equal(attempts[0]!.tries);
    expect(first.requests).to.have.length(before);
    await stack.context.db.query('update connections set disabled_at = null');
    stack.clock.advance(5 * MINUTE);
    await stack.settle();
    expect(await slotsOf(charge), 'at the first usable connection').to.deep.equal([
      ['provider_b', 'open'],
    ]);
  });

  it('creates a waiting payment at its connection once that works again', async () => {
    await start(OPEN_BRIEFLY);
    const waited = await openFirstBreaker();
    first.behaviour = 'working';
    await until('a half-open breaker', async () => (await openBreakers()).length === 0);
    for (const wait of [10 * MINUTE, 5 * SECOND]) {
      stack.clock.advance(wait); // a half-open breaker lets one call at a time through, and the first may be another job's
      await stack.settle();
    }
    expect(await slotsOf(waited)).to.deep.equal([['provider_a', 'open']]);
    expect(await slotsOf(await openCharge(stack))).to.deep.equal([['provider_a', 'open']]);
  });

  it('tries a half-open connection by a harmless call, never by a payment', async () => {
    await start(OPEN_FOR_A_MOMENT);
    await openFirstBreaker();
    const connection = await connectionIn('provider_a');
    await until('a half-open breaker', async () => stack.context.isHalfOpen(connection));
    const before = first.requests.length;
    const charge = await newCharge(stack);
    const [attempt] = (await stored(stack, charge)).attempts;
    await until(
      'another connection',
      async () => (await stored(stack, charge)).attempts[0]!.slot === 'provider_b',
    );
    expect(first.requests.slice(before).filter((call) => call.startsWith('POST'))).to.deep.equal(
      [],
    );
    expect((await stored(stack, charge)).attempts.map(({ id }) => id)).to.deep.equal([attempt!.id]);
    await stack.settle();
    expect(await slotsOf(charge)).to.deep.equal([['provider_b', 'open']]);
  });

  it('goes to the next connection after a refusal, which opens no breaker', async () => {
    await start();
    first.behaviour = refusing;
    for (let made = 0; made < 5; made++) {
      expect(await slotsOf(await openCharge(stack))).to.deep.equal([
        ['provider_a', 'refused'],
        ['provider_b', 'open'],
      ]);
    }
    expect(await openBreakers()).to.deep.equal([]);
  });

  it('verifies a payment that may exist, and gives it up after a minute without an answer: still watched, with one link', async () => {
    await start();
    first.behaviour = 'silent';
    const charge = await withShortTimeouts(stack, ['createMs', 'verifyMs'], async () => {
      const unanswered = await newCharge(stack);
      await stack.settle();
      return unanswered;
    });
    first.behaviour = 'failing';
    for (let round = 0; round < 3; round++) {
      stack.clock.advance(10 * SECOND);
      await stack.settle();
    }
    expect(await openBreakers()).to.have.length(1);
    expect(await slotsOf(charge), 'half a minute without an answer').to.deep.equal([
      ['provider_a', 'unconfirmed'],
    ]);
    stack.clock.advance(2 * MINUTE);
    await stack.settle();
    expect(await slotsOf(charge)).to.deep.equal([
      ['provider_a', 'lost'],
      ['provider_b', 'open'],
    ]);
    expect(creates(), 'sent once').to.equal(1);
    const [lost, current] = (await stored(stack, charge)).attempts;
    expect(lost).to.include({ url: null }).and.to.have.property('due_at').that.is.instanceOf(Date);
    expect((await linkOf(charge))!.replaceAll('&amp;', '&')).to.equal(current!.url);
    expect((await stack.control.stats()).paystack!.resent_after_accept).to.equal(0);
  });

  it('finds a payment that was watched while its breaker was open: no answer is never taken for one', async () => {
    await start(OPEN_BRIEFLY);
    const charge = await openCharge(stack);
    expect(await slotsOf(charge)).to.deep.equal([['provider_a', 'open']]);
    await stack.control.pay(charge.reference, { notify: false });
    first.behaviour = 'failing';
    for (let round = 0; round < 6; round++) {
      stack.clock.advance(MINUTE);
      await stack.settle();
    }
    stack.clock.advance(2 * DAY);
    await stack.settle();
    expect(await stored(stack, charge), 'after its expiry').to.include({ status: 'pending' });
    first.behaviour = 'working';
    // A half-open breaker lets one call at a time through, and the first may be another job's.
    for (let round = 0; round < 3; round++) {
      stack.clock.advance(70 * MINUTE);
      await stack.settle();
    }
    expect(await stored(stack, charge)).to.include({ status: 'succeeded' });
  });

  it('goes on verifying to the last check while a breaker is open', async () => {
    await start();
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { outcome: 'failed', notify: false });
    stack.clock.advance(6 * SECOND);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'failed' });
    await openFirstBreaker();
    stack.clock.advance(80 * 60 * MINUTE);
    await stack.settle();
    const [attempt] = (await stored(stack, charge)).attempts;
    expect(attempt!.due_at, 'the check after 72 hours is still due').to.be.instanceOf(Date);
  });

  for (const retryAfterS of [undefined, 40]) {
    it(`waits when a provider limits calls${retryAfterS ? ', as long as Retry-After says' : ''}: no try is used up, no breaker opens`, async () => {
      await start();
      first.behaviour = limiting(retryAfterS);
      const charge = await newCharge(stack);
      await stack.settle();
      const [attempt] = (await stored(stack, charge)).attempts;
      expect(attempt).to.include({
        slot: 'provider_a',
        status: 'queued',
        tries: 1,
        snoozes: 1,
        sent_at: null,
      });
      const waitMs = attempt!.due_at.getTime() - stack.clock().getTime();
      expect(waitMs).to.be.within((retryAfterS ?? 2) * SECOND - 1_000, (retryAfterS ?? 2) * SECOND);
      for (let round = 0; round < 6; round++) {
        stack.clock.advance(MINUTE);
        await stack.settle();
      }
      expect(await openBreakers()).to.deep.equal([]);
      first.behaviour = 'working';
      stack.clock.advance(5 * MINUTE);
      await stack.settle();
      expect(await slotsOf(charge)).to.deep.equal([['provider_a', 'open']]);
    });
  }
});

describe('A call budget that is used up', () => {
  it('delays payments: no try is used up and no charge fails', async () => {
    await using stack = await startStack({
      env: { budgets: { sandbox: { test: { perMinute: 3 } } } },
    });
    const charges = [];
    for (let made = 0; made < 5; made++) charges.push(await newCharge(stack));
    await stack.settle();
    const attempts = await stack.context.db.query<Record<string, unknown>>(
      'select * from attempts order by status, id',
    );
    expect(attempts.map(({ status }) => status)).to.deep.equal([
      'open',
      'open',
      'open',
      'queued',
      'queued',
    ]);
    for (const waiting of attempts.slice(3))
      expect(waiting).to.include({ tries: 1, snoozes: 1, sent_at: null });
    expect((await stack.control.stats()).paystack!.creates).to.equal(3);
    expect(stack.context.openBreakers()).to.deep.equal([]);
  });
});
