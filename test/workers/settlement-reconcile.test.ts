import { expect } from 'chai';
import { openContext } from '../../config/context.ts';
import { settlementContext } from '../../config/settlement-context.ts';
import { startTaskNow } from '../../domain/accounts/connection/tasks.ts';
import { READING_MS } from '../../domain/jobs.ts';
import type { Provider } from '../../domain/providers/port/provider.ts';
import { ProviderError } from '../../domain/providers/port/provider-error.ts';
import { reconcile } from '../../domain/settlements/settlement/reconcile.ts';
import { startPools } from '../../workers/pools.ts';
import { reconcileSettlements } from '../../workers/settlement-reconcile.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/clock.ts';
import {
  leapingTime,
  type TestConnectionTask,
  testConnectionTask,
} from '../support/connection-task.ts';
import { openProviderAccount, type ProviderAccountFixture } from '../support/provider-account.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describe('Reconciling a connection', () => {
  let stack: Stack;
  let workers: AsyncDisposable | undefined;
  let account: ProviderAccountFixture;
  let task: TestConnectionTask;
  before(async () => {
    stack = await startStack({ workers: false, payouts: true });
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    workers ??= stack.startWorkers();
    account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
    task = testConnectionTask(account, 'settlements', reconcileSettlements as never);
  });
  afterEach(async () => {
    await stack.control.faults();
    await expectNoLeaks(stack);
  });

  const payOut = async (count: number) => {
    const charges = await account.payCharges(
      ...Array.from({ length: count }, (_, index) => 100_000 + index * 1_000),
    );
    await account.passToPayday();
    for (let made = 0; made < count; made++) {
      const others = charges.slice(made + 1).map(({ reference }) => reference);
      await stack.control.settle(account.accountId, { leave_out: others });
    }
    return charges;
  };
  const statuses = async (charges: { reference: string }[]) =>
    (await Promise.all(charges.map(account.readTransaction))).map(({ status }) => status);
  const expectDueIn = async (ms: number, since: Date) => {
    const { due_at: dueAt } = await task.row();
    expect(dueAt.getTime() - since.getTime()).to.be.closeTo(ms, SECOND);
  };

  it('is done every hour, and not before', async () => {
    const first = await task.row();
    expect(first.done_at).not.to.equal(null);
    await account.passTime(58 * MINUTE);
    expect((await task.row()).tries).to.equal(first.tries);
    const before = stack.clock();
    await account.passTime(3 * MINUTE);
    const second = await task.row();
    expect(second.tries).to.equal(first.tries + 1);
    expect(second.done_at!.getTime()).to.be.greaterThan(before.getTime());
    await expectDueIn(HOUR, second.done_at!);
  });

  it('is retried in five minutes when the provider does not answer, and finds what was paid out long ago', async () => {
    const [charge] = await payOut(1);
    await stack.control.faults({ provider: 'paystack', error_rate: 1 });
    await account.passTime(30 * DAY);
    const before = stack.clock();
    const { done_at: doneAt, tries } = await task.row();
    expect(doneAt!.getTime()).to.be.below(before.getTime() - 29 * DAY);
    await expectDueIn(5 * MINUTE, before);
    expect(
      await account.discrepancies(),
      'no payment is missing while the provider does not answer',
    ).to.deep.equal([]);
    await stack.control.faults();
    await account.passTime(5 * MINUTE);
    expect((await task.row()).tries).to.equal(tries + 1);
    expect(await account.readTransaction(charge!)).to.include({ status: 'settled' });
    expect(await account.discrepancies()).to.deep.equal([]);
  });

  it('is snoozed as long as the provider says when nothing was sent, and uses up no try', async () => {
    const { tries, snoozes } = await task.row();
    const limited = new ProviderError('limited', 'settlements', 'nothing was sent', {
      retryAfterMs: 90_000,
    });
    const listSettlements = () => Promise.reject(limited);
    const before = stack.clock();
    expect(await task.run(undefined, () => ({ listSettlements }))).to.equal('snooze');
    expect(await task.row()).to.include({ tries: tries + 1, snoozes: snoozes + 1 });
    await expectDueIn(90 * SECOND, before);
  });

  it('continues at once where it was cut short, with no line lost or read twice', async () => {
    const charges = await payOut(3);
    const asked: string[] = [];
    const run = async (leapMs: number) => {
      using time = leapingTime();
      return await task.run(undefined, (real) => ({
        listLines(query, options) {
          asked.push(query.providerSettlementId);
          time.leap(leapMs);
          return real.listLines(query, options);
        },
      }));
    };
    await workers![Symbol.asyncDispose](); // they would go on with it at once
    workers = undefined;
    const { done_at: doneAt, snoozes } = await task.row();
    const before = stack.clock();
    expect(await run(READING_MS)).to.equal('snooze');
    expect((await statuses(charges)).sort()).to.deep.equal(['settled', 'succeeded', 'succeeded']);
    expect(await task.row()).to.include({ snoozes: snoozes + 1 });
    expect((await task.row()).done_at).to.deep.equal(doneAt);
    await expectDueIn(0, before);
    expect(await run(1)).to.equal('completed');
    expect(await statuses(charges)).to.deep.equal(['settled', 'settled', 'settled']);
    expect((await task.row()).done_at!.getTime()).to.be.greaterThan(before.getTime());
    expect(new Set(asked).size).to.equal(3);
    expect(asked).to.have.length(3);
    expect(
      (await account.settlements('landed')).map(({ transaction_count: count }) => count),
    ).to.deep.equal([1, 1, 1]);
  });

  it('stays due when it is made due while a round is under way', async () => {
    await workers![Symbol.asyncDispose](); // they would do it at once
    workers = undefined;
    const { connectionId } = account;
    const outcome = await task.run(undefined, (real) => ({
      async listSettlements(...query) {
        const listed = await real.listSettlements(...query);
        await stack.context.inTx((tx) => startTaskNow(tx, connectionId, 'settlements'));
        return listed;
      },
    }));
    expect(outcome).to.equal('completed');
    const { due_at: dueAt } = await task.row();
    expect(dueAt.getTime()).to.be.at.most(stack.clock().getTime());
    expect(await task.run(await task.row())).to.equal('completed');
    await expectDueIn(HOUR, stack.clock());
  });

  it('goes on for a disabled connection: what was paid through it is still paid out', async () => {
    const charges = await payOut(1);
    await stack.context.db.query('update connections set disabled_at = now() where id = $1', [
      account.connectionId,
    ]);
    await account.reconcile();
    expect(await statuses(charges)).to.deep.equal(['settled']);
  });

  it('does nothing for a late or repeated job', async () => {
    await payOut(1);
    const job = await task.makeDue();
    const outcomes = await Promise.all([1, 2, 3].map(() => task.run(job)));
    expect(outcomes.sort()).to.deep.equal(['completed', undefined, undefined]);
    expect(await task.run(job)).to.equal(undefined);
    const { id, tries } = await task.row();
    expect(await task.run({ id, tries }), 'not due').to.equal(undefined);
    expect(await account.events()).to.have.length(1);
  });

  it('gives the same result when it fails in the middle and is retried', async () => {
    const charges = await payOut(2);
    let calls = 0;
    const broken = (real: Provider): Partial<Provider> => ({
      listLines(query, options) {
        if (++calls === 2) throw new TypeError('a defect of ours');
        return real.listLines(query, options);
      },
    });
    const job = await task.makeDue();
    await task.run(job, broken).then(
      () => expect.fail('it did not break down'),
      (error: Error) => expect(error.message).to.equal('a defect of ours'),
    );
    expect((await task.row()).due_at.getTime() - stack.clock().getTime()).to.be.within(
      0,
      5 * MINUTE,
    );
    await account.passTime(5 * MINUTE);
    expect(await statuses(charges)).to.deep.equal(['settled', 'settled']);
    expect(await account.events()).to.have.length(2);
  });

  it('gives the same result when it runs twice at once, as when a lease ends too early', async () => {
    const charges = await payOut(3);
    const now = stack.clock();
    const span = {
      from: new Date(now.getTime() - 14 * DAY),
      to: new Date(now.getTime() + 7 * DAY),
    };
    const round = async () =>
      reconcile(await settlementContext(stack.context, account.connectionId, READING_MS), span);
    expect(await Promise.all([round(), round(), round()])).to.deep.equal(
      Array(3).fill({ isDone: true, error: null, rest: null }),
    );
    await stack.settle();
    expect(await statuses(charges)).to.deep.equal(['settled', 'settled', 'settled']);
    expect(
      (await account.settlements()).map(({ status, transaction_count: count }) => [status, count]),
    ).to.deep.equal(Array(3).fill(['landed', 1]));
    expect(await account.events()).to.have.length(3);
    expect(await account.discrepancies()).to.deep.equal([]);
  });
});

describe('Reconciling by two fleets of workers', () => {
  it('is done by one of them', async () => {
    await using stack = await startStack({ payouts: true });
    const { env, clock, log } = stack.context;
    await using another = await openContext(env, { clock, log, queuePrefix: stack.queuePrefix });
    await using _fleet = startPools(another);
    const account = await openProviderAccount({ stack, name: 'monnify', slot: 'provider_c' });
    const task = testConnectionTask(account, 'settlements', reconcileSettlements as never);
    const charges = await account.payCharges(100_000, 200_000);
    await account.passToPayday();
    for (let round = 0; round < 3; round++) {
      const { tries } = await task.row();
      if (round === 0) await stack.control.settle(account.accountId);
      else await task.makeDue();
      await account.stack.settle();
      // Settling does not wait for what the other fleet claimed without a job.
      await until('the round', async () => {
        if ((await task.row()).tries > tries) return true;
        stack.clock.advance(6_000); // the sweeper enqueues it once more
        await account.stack.settle();
        return false;
      });
      expect((await task.row()).tries).to.equal(tries + 1);
    }
    for (const charge of charges)
      expect(await account.readTransaction(charge)).to.include({ status: 'settled' });
    expect(await account.events()).to.have.length(1);
    expect(await account.discrepancies()).to.deep.equal([]);
  });
});
