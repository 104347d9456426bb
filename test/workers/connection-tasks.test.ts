import { expect } from 'chai';
import { READING_MS } from '../../domain/jobs.ts';
import { ProviderError } from '../../domain/providers/port/provider-error.ts';
import { checkBooksNightly } from '../../workers/books-check.ts';
import { auditPaymentsNightly } from '../../workers/payment-audit.ts';
import { runJob } from '../../workers/run-job.ts';
import { reconcileSettlements } from '../../workers/settlement-reconcile.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/clock.ts';
import {
  leapingTime,
  type TestConnectionTask,
  testConnectionTask,
} from '../support/connection-task.ts';
import { openProviderAccount, type ProviderAccountFixture } from '../support/provider-account.ts';
import { useStack } from '../support/stack.ts';

describe('A task of a connection', () => {
  const stack = useStack({ workers: false, payouts: true });
  let workers: AsyncDisposable | undefined;
  let account: ProviderAccountFixture;
  beforeEach(async () => {
    workers ??= stack.startWorkers();
    account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
  });
  afterEach(() => stack.control.faults());

  let made = 0;
  /** A payment that is not on record; returns its discrepancy. */
  const stranger = async () => {
    const reference = `SV-${900_000_000 + ++made}-zzzzzzzz`;
    const payment = { provider: 'paystack', reference, amount_kobo: 80_000 };
    await stack.control.stranger(account.accountId, payment);
    return `never_notified ${reference}`;
  };
  const found = async () =>
    (await account.discrepancies('open')).map(({ kind, reference }) => `${kind} ${reference}`);
  const paidOut = async () => {
    const [charge] = await account.payCharges(100_000);
    await account.passToPayday();
    await account.payOut();
    return charge!;
  };
  const from = (ms: number, since = stack.clock()) => new Date(since.getTime() + ms);
  const expectDueAt = async ({ row }: TestConnectionTask, at: Date) =>
    expect((await row()).due_at.getTime()).to.be.closeTo(at.getTime(), SECOND);

  it('goes on for a disabled connection: what was paid through it is still paid out', async () => {
    const charge = await paidOut();
    const unknown = await stranger();
    await stack.sql`update connections set disabled_at = now() where id = ${account.connectionId}`;
    await account.passNight();
    expect(await account.readTransaction(charge)).to.include({ status: 'settled' });
    expect(await found()).to.deep.equal([unknown]);
  });

  for (const [name, handler, list] of [
    ['audit', auditPaymentsNightly, 'listPayments'],
    ['settlements', reconcileSettlements, 'listSettlements'],
  ] as const)
    describe(`(${name})`, () => {
      let task: TestConnectionTask;
      beforeEach(() => {
        task = testConnectionTask(account, name, handler as never);
      });

      it('is snoozed as long as the provider says when nothing was sent, and uses up no try', async () => {
        const { tries, snoozes } = await task.row();
        const limited = new ProviderError('limited', 'list', 'not sent', { retryAfterMs: 90_000 });
        const refuse = () => ({ [list]: () => Promise.reject(limited) });
        expect(await task.run(undefined, refuse)).to.equal('snooze');
        expect(await task.row()).to.include({ tries: tries + 1, snoozes: snoozes + 1 });
        await expectDueAt(task, from(90 * SECOND));
      });

      it('continues at once at the page where it was cut short', async () => {
        await workers![Symbol.asyncDispose](); // they would go on with it at once
        workers = undefined;
        const asked: unknown[] = [];
        const run = async (leapMs: number) => {
          using time = leapingTime();
          return await task.run(undefined, () => ({
            async [list]({ cursor }: { cursor: string | null }) {
              asked.push(cursor);
              time.leap(leapMs);
              return { rows: [], next: cursor === null ? '1' : null };
            },
          }));
        };
        const { done_at: doneAt } = await task.row();
        expect(await run(READING_MS)).to.equal('snooze');
        const cut = await task.row();
        expect(cut.progress).to.include({ cursor: '1' });
        expect(cut.done_at).to.deep.equal(doneAt);
        await expectDueAt(task, stack.clock());
        expect(await run(1)).to.equal('completed');
        expect(asked).to.deep.equal([null, '1']);
        const ended = await task.row();
        expect(ended.progress).to.equal(null);
        expect(ended.done_at).to.be.greaterThan(doneAt!);
      });

      it('does nothing for a late or repeated job', async () => {
        const job = await task.makeDue();
        const outcomes = await Promise.all([1, 2, 3].map(() => task.run(job)));
        expect(outcomes.sort()).to.deep.equal(['completed', undefined, undefined]);
        expect(await task.run(job)).to.equal(undefined);
        const { id, tries } = await task.row();
        expect(await task.run({ id, tries }), 'not due').to.equal(undefined);
      });

      it('is retried in five minutes when the provider does not answer, and finds what came long ago', async () => {
        const charge = await paidOut();
        const unknown = await stranger();
        await stack.control.faults({ provider: 'paystack', error_rate: 1 });
        const { done_at: doneAt } = await task.row();
        await account.passTime(30 * DAY);
        await expectDueAt(task, from(5 * MINUTE));
        expect((await task.row()).done_at).to.deep.equal(doneAt);
        expect(await found(), 'nothing is missing while it does not answer').to.deep.equal([]);
        await stack.control.faults();
        await account.passTime(6 * MINUTE);
        expect((await task.row()).done_at).to.be.greaterThan(from(-DAY));
        expect(await account.readTransaction(charge)).to.include({ status: 'settled' });
        expect(await found()).to.deep.equal([unknown]);
      });

      if (name === 'settlements') {
        it('is done every hour, and not before', async () => {
          const { tries } = await task.row();
          await account.passTime(58 * MINUTE);
          expect((await task.row()).tries).to.equal(tries);
          const before = stack.clock();
          await account.passTime(3 * MINUTE);
          const { tries: more, done_at: doneAt } = await task.row();
          expect(more).to.equal(tries + 1);
          expect(doneAt).to.be.greaterThan(before);
          await expectDueAt(task, from(HOUR, doneAt!));
        });
        return;
      }

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
        const untilMs = stack.clock().getTime() - 15 * MINUTE;
        expect(row.done_at!.getTime()).to.be.closeTo(untilMs, 5 * SECOND);
      });

      it('begins anew from its last end when it was delayed for a day', async () => {
        const { done_at: doneAt } = await task.row();
        await account.passTime(3 * DAY);
        const unknown = await stranger();
        await account.passTime(HOUR);
        const span = { from: from(-9 * DAY), to: from(-25 * HOUR), cursor: null, isListed: true };
        await stack.sql`update connection_tasks set done_at = ${doneAt},
          progress = ${JSON.stringify(span)} where connection_id = ${account.connectionId}`;
        await task.run();
        expect(await found()).to.deep.equal([unknown]);
      });

      it('skips what was paid a moment ago', async () => {
        const unknown = await stranger();
        await task.run();
        expect(await found()).to.deep.equal([]);
        await account.passNight();
        expect(await found()).to.deep.equal([unknown]);
      });
    });

  describe('(books)', () => {
    let task: TestConnectionTask;
    beforeEach(() => {
      task = testConnectionTask(account, 'books', checkBooksNightly as never);
    });
    const change = (kobo: number) =>
      stack.context.db.transaction(async (sql) => {
        await sql.query("select set_config('session_replication_role', 'replica', true)");
        await sql.query(
          `update postings set amount_kobo = amount_kobo + $2
           where connection_id = $1 and type = 'capture'`,
          [account.connectionId, kobo],
        );
      });

    it('finds at night where the journal is wrong, whatever the provider answers, until it is mended', async () => {
      const [charge] = await account.payCharges(100_000);
      await stack.control.faults({ provider: 'paystack', error_rate: 1 });
      await change(1);
      for (let night = 0; night < 2; night++) {
        await account.passNight();
        const [wrong, ...more] = await account.discrepancies('open');
        expect(wrong).to.include({ kind: 'books', amount_kobo: 1 });
        expect(wrong!.reference).to.match(new RegExp(`^${charge!.reference}-`));
        expect(more).to.deep.equal([]);
      }
      await change(-1);
      await account.passNight();
      expect(await found()).to.deep.equal([]);
      const { due_at: dueAt, done_at: doneAt, failures } = await task.row();
      expect(dueAt.toISOString()).to.match(/T01:30:00\.000Z$/);
      expect(doneAt).to.be.greaterThan(from(-DAY));
      expect(failures).to.equal(0);
    });

    it('goes on where its time ended, and does nothing for a late or repeated job', async () => {
      await workers![Symbol.asyncDispose](); // they would go on with it at once
      workers = undefined;
      using time = leapingTime();
      const query = (...asked: Parameters<typeof stack.context.db.query>) => {
        time.leap(READING_MS / 4);
        return stack.context.db.query(...asked);
      };
      const db = Object.assign(Object.create(stack.context.db), { query });
      const outcomes: unknown[] = [];
      let job = await task.makeDue();
      for (; outcomes.at(-1) !== 'completed'; job = await task.row())
        outcomes.push(await runJob({ ...stack.context, db }, checkBooksNightly as never, job));
      expect(outcomes).to.include('snooze');
      expect(await task.run(job), 'not due').to.equal(undefined);
      expect(await task.row()).to.include({ progress: null });
    });
  });
});
