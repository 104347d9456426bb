import { expect } from 'chai';
import { breakerRules } from '../../domain/providers/breaker.ts';
import { newCharge, openCharge, stored } from '../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../support/clock.ts';
import {
  type FaultyProvider,
  faultyProvider,
  limiting,
  refusing,
} from '../support/faulty-provider.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** Three accounts at one provider: what matters is that they are three connections. */
const slots = { provider_a: 'paystack', provider_b: 'paystack', provider_c: 'paystack' };
const OPEN_FOR_LONG = { ...breakerRules, minimumCalls: 3, openMs: 3_600_000, minimumTimeoutMs: 0 };
/** An open breaker is half-open at once. */
const OPEN_BRIEFLY = { ...OPEN_FOR_LONG, openMs: 1 };

describe('Failover', () => {
  let stack: Stack;
  let first: FaultyProvider;
  const start = async (breaker = OPEN_FOR_LONG) => {
    stack = await startStack({ env: { slots, breaker } });
    first = await faultyProvider(stack, 'provider_a');
  };
  afterEach(async () => {
    await expectNoLeaks(stack);
    await first[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
  });

  const connectionIn = async (slot: string) => {
    const [row] = await stack.context.db.query<{ id: string }>(
      'select id from connections where slot = $1',
      [slot],
    );
    return row!.id;
  };
  /**
   * Lets the first connection fail until its breaker opens. The charge that failed last waits: its
   * payment may exist.
   */
  const makeRest = async () => {
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
    await makeRest();
    expect(stack.context.openBreakers()).to.deep.equal([await connectionIn('provider_a')]);
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

  it('never takes a charge from the slot it names: it waits, and costs no try', async () => {
    await start();
    await makeRest();
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

  it('waits while all rest: that is no refusal, costs no try, and fails nothing', async () => {
    await start();
    await stack.context.db.query(
      `update connections set disabled_at = $1 where slot <> 'provider_a'`,
      [stack.clock()],
    );
    await makeRest();
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
    expect(await slotsOf(charge), 'as soon as one may be used').to.deep.equal([
      ['provider_b', 'open'],
    ]);
  });

  it('makes what waited at the connection that is well again', async () => {
    await start(OPEN_BRIEFLY);
    const waited = await makeRest();
    first.behaviour = 'working';
    await until('a half-open breaker', async () => stack.context.openBreakers().length === 0);
    for (const wait of [10 * MINUTE, 5 * SECOND]) {
      stack.clock.advance(wait); // the first call after the rest may be another job's, and one at a time is let through
      await stack.settle();
    }
    expect(await slotsOf(waited)).to.deep.equal([['provider_a', 'open']]);
    expect(await slotsOf(await openCharge(stack))).to.deep.equal([['provider_a', 'open']]);
  });

  it('tries a half-open connection by a harmless call, never by a payer’s payment', async () => {
    await start({ ...OPEN_FOR_LONG, openMs: 50 });
    await makeRest();
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

  it('moves on from a plain no, which makes nothing rest', async () => {
    await start();
    first.behaviour = refusing;
    for (let made = 0; made < 5; made++) {
      expect(await slotsOf(await openCharge(stack))).to.deep.equal([
        ['provider_a', 'refused'],
        ['provider_b', 'open'],
      ]);
    }
    expect(stack.context.openBreakers()).to.deep.equal([]);
  });

  it('clears up first what may have arrived, and gives it up only after a long silence: watched, and without a second link', async () => {
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
    expect(stack.context.openBreakers()).to.have.length(1);
    expect(await slotsOf(charge), 'half a minute of silence').to.deep.equal([
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

  it('finds the money of what was watched while its connection rested: nobody’s silence was an answer', async () => {
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
    expect(await stored(stack, charge), 'past its end').to.include({ status: 'pending' });
    first.behaviour = 'working';
    // After a rest one call at a time passes, and another job's may be the first.
    for (let turn = 0; turn < 3; turn++) {
      stack.clock.advance(70 * MINUTE);
      await stack.settle();
    }
    expect(await stored(stack, charge)).to.include({ status: 'succeeded' });
  });

  it('goes on verifying to the end, with an open breaker too', async () => {
    await start();
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { outcome: 'failed', notify: false });
    stack.clock.advance(6 * SECOND);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'failed' });
    await makeRest();
    stack.clock.advance(80 * 60 * MINUTE);
    await stack.settle();
    const [attempt] = (await stored(stack, charge)).attempts;
    expect(attempt!.due_at, 'the check after 72 hours was not asked').to.be.instanceOf(Date);
  });

  for (const retryAfterS of [undefined, 40]) {
    it(`waits when a provider asks for fewer calls${retryAfterS ? ', as long as it says' : ''}: no try, no rest, no refusal`, async () => {
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
      expect(stack.context.openBreakers()).to.deep.equal([]);
      first.behaviour = 'working';
      stack.clock.advance(5 * MINUTE);
      await stack.settle();
      expect(await slotsOf(charge)).to.deep.equal([['provider_a', 'open']]);
    });
  }
});

describe('A budget that is used up', () => {
  it('holds payments back, costs no try, and fails nothing', async () => {
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
