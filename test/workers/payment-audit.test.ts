import { expect } from 'chai';
import { settlementContext } from '../../config/settlement-context.ts';
import { READING_MS } from '../../domain/jobs.ts';
import type { Provider } from '../../domain/providers/port/provider.ts';
import { ProviderError } from '../../domain/providers/port/provider-error.ts';
import { auditPayments } from '../../domain/settlements/payment-audit/audit.ts';
import { auditPaymentsNightly } from '../../workers/payment-audit.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/clock.ts';
import {
  leapingTime,
  type TestConnectionTask,
  testConnectionTask,
} from '../support/connection-task.ts';
import { openProviderAccount, type ProviderAccountFixture } from '../support/provider-account.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

describe('Comparing the payments of a connection', () => {
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
    task = testConnectionTask(account, 'audit', auditPaymentsNightly as never);
  });
  afterEach(async () => {
    await stack.control.faults();
    await expectNoLeaks(stack);
  });

  let made = 0;
  const stranger = async () => {
    const reference = `SV-${900_000_000 + ++made}-zzzzzzzz`;
    await stack.control.stranger(account.accountId, {
      provider: 'paystack',
      reference,
      amount_kobo: 80_000,
    });
    return reference;
  };
  const found = async () =>
    (await account.discrepancies('open')).map(({ kind, reference }) => `${kind} ${reference}`);
  const expectDueAt = async (at: Date) =>
    expect((await task.row()).due_at.getTime()).to.be.closeTo(at.getTime(), SECOND);
  const from = (ms: number, since = stack.clock()) => new Date(since.getTime() + ms);

  it('is done once a night, at half past two in Lagos', async () => {
    const { tries, due_at: dueAt, done_at: doneAt } = await task.row();
    expect(dueAt.toISOString()).to.match(/T01:30:00\.000Z$/);
    expect(dueAt.getTime() - doneAt!.getTime()).to.be.below(DAY);
    await account.passTime(16 * HOUR); // two in the morning
    expect((await task.row()).tries).to.equal(tries);
    await account.passTime(HOUR);
    const row = await task.row();
    expect(row).to.include({ tries: tries + 1, progress: null });
    expect(row.due_at).to.deep.equal(from(DAY, dueAt));
    expect(row.done_at!.getTime()).to.be.closeTo(stack.clock().getTime() - 15 * MINUTE, 5 * SECOND);
  });

  it('begins anew from its last end when it was delayed for a day', async () => {
    const { done_at: doneAt } = await task.row();
    await account.passTime(3 * DAY);
    const reference = await stranger();
    await account.passTime(HOUR);
    const progress = { from: from(-9 * DAY), to: from(-25 * HOUR), cursor: null, isListed: true };
    await stack.context.db.query(
      'update connection_tasks set progress = $2, done_at = $3 where connection_id = $1',
      [...[account.connectionId, JSON.stringify(progress), doneAt]],
    );
    await task.run();
    expect(await found()).to.deep.equal([`never_notified ${reference}`]);
  });

  it('skips what was paid a moment ago, and reaches back to its last end', async () => {
    const reference = await stranger();
    await task.run();
    expect(await found()).to.deep.equal([]);
    const { done_at: doneAt } = await task.row();
    await stack.context.db.query(
      `update connection_tasks set due_at = null where connection_id = $1`,
      [account.connectionId],
    );
    await account.passTime(20 * DAY);
    expect((await task.row()).done_at).to.deep.equal(doneAt);
    await task.run();
    expect(await found()).to.deep.equal([`never_notified ${reference}`]);
  });

  it('is retried in five minutes for the same night when the provider does not answer', async () => {
    const reference = await stranger();
    await stack.control.faults({ provider: 'paystack', error_rate: 1 });
    const { done_at: doneAt } = await task.row();
    await account.passTime(17 * HOUR);
    await expectDueAt(from(5 * MINUTE));
    const { progress, done_at: still } = await task.row();
    expect(progress).to.include({ cursor: null, isListed: false });
    expect(still).to.deep.equal(doneAt);
    await stack.control.faults();
    await account.passTime(6 * MINUTE);
    const row = await task.row();
    expect(row.done_at!.toISOString()).to.equal(progress!.to);
    expect(row.progress).to.equal(null);
    expect(await found()).to.deep.equal([`never_notified ${reference}`]);
  });

  it('is snoozed as long as the provider says when nothing was sent, and uses up no try', async () => {
    const { snoozes } = await task.row();
    const limited = new ProviderError('limited', 'payments', 'nothing was sent', {
      retryAfterMs: 90_000,
    });
    expect(
      await task.run(undefined, () => ({ listPayments: () => Promise.reject(limited) })),
    ).to.equal('snooze');
    expect((await task.row()).snoozes).to.equal(snoozes + 1);
    await expectDueAt(from(90 * SECOND));
  });

  it('continues at once at the page where it was cut short', async () => {
    const references = [await stranger(), await stranger(), await stranger()];
    await account.passTime(HOUR);
    await workers![Symbol.asyncDispose](); // they would go on with it at once
    workers = undefined;
    const asked: (string | null)[] = [];
    const run = async (leapMs: number) => {
      using time = leapingTime();
      return await task.run(undefined, (real) => ({
        async listPayments(query, options) {
          asked.push(query.cursor);
          time.leap(leapMs);
          const { rows } = await real.listPayments({ ...query, cursor: null }, options);
          const ours = rows.filter(({ reference }) => references.includes(reference));
          const first = Number(query.cursor ?? 0);
          return {
            rows: ours.slice(first, first + 1),
            next: first + 1 < ours.length ? String(first + 1) : null,
          };
        },
      }));
    };
    const { done_at: doneAt } = await task.row();
    expect(await run(READING_MS)).to.equal('snooze');
    expect(await found()).to.have.length(1);
    const row = await task.row();
    expect(row.progress).to.include({ cursor: '1', isListed: false });
    expect(row.done_at).to.deep.equal(doneAt);
    await expectDueAt(stack.clock());
    expect(await run(1)).to.equal('completed');
    expect(asked).to.deep.equal([null, '1', '2']);
    expect((await found()).sort()).to.deep.equal(
      references.map((reference) => `never_notified ${reference}`).sort(),
    );
    expect((await task.row()).progress).to.equal(null);
    expect((await task.row()).done_at!.toISOString()).to.equal(row.progress!.to);
  });

  it('goes on for a disabled connection', async () => {
    const reference = await stranger();
    await stack.context.db.query('update connections set disabled_at = now() where id = $1', [
      account.connectionId,
    ]);
    await account.passNight();
    expect(await found()).to.deep.equal([`never_notified ${reference}`]);
  });

  it('does nothing for a late or repeated job', async () => {
    await stranger();
    await account.passTime(HOUR);
    const job = await task.makeDue();
    const outcomes = await Promise.all([1, 2, 3].map(() => task.run(job)));
    expect(outcomes.sort()).to.deep.equal(['completed', undefined, undefined]);
    expect(await task.run(job)).to.equal(undefined);
    const { id, tries } = await task.row();
    expect(await task.run({ id, tries }), 'not due').to.equal(undefined);
    expect(await found()).to.have.length(1);
  });

  it('gives the same result when it fails in the middle and is retried', async () => {
    const [lost] = await account.payCharges(100_000);
    const reference = await stranger();
    await stack.control.forget(lost!.reference);
    await account.passTime(HOUR);
    const broken = (): Partial<Provider> => ({
      verify: () => {
        throw new TypeError('a defect of ours');
      },
    });
    await task.run(undefined, broken).then(
      () => expect.fail('it did not break down'),
      (error: Error) => expect(error.message).to.equal('a defect of ours'),
    );
    expect(await found()).to.deep.equal([`never_notified ${reference}`]);
    await account.passTime(5 * MINUTE);
    const kinds = (await account.discrepancies('open')).map(({ kind }) => kind);
    expect(kinds.sort()).to.deep.equal(['never_notified', 'unknown_at_provider']);
  });

  it('gives the same result when it runs twice at once, as when a lease ends too early', async () => {
    const [lost] = await account.payCharges(100_000, 200_000);
    await stranger();
    await stack.control.forget(lost!.reference);
    await account.passTime(HOUR);
    const now = stack.clock();
    const span = {
      from: new Date(now.getTime() - 3 * DAY),
      to: now,
      cursor: null,
      isListed: false,
    };
    const round = async () =>
      auditPayments(await settlementContext(stack.context, account.connectionId, READING_MS), span);
    expect(await Promise.all([round(), round(), round()])).to.deep.equal(
      Array(3).fill({ rest: null, error: null }),
    );
    const kinds = (await account.discrepancies()).map(({ kind, status }) => [kind, status]);
    expect(kinds.sort()).to.deep.equal([
      ['never_notified', 'open'],
      ['unknown_at_provider', 'open'],
    ]);
  });
});
