import { expect } from 'chai';
import { type DueRow, jobTimeoutMs, queues, type RowQueue } from '../../domain/jobs.ts';
import type { CallOptions, Provider } from '../../domain/providers/port/provider.ts';
import { ProviderError } from '../../domain/providers/port/provider-error.ts';
import { checkCharge } from '../../workers/charge-check.ts';
import { createCharge } from '../../workers/charge-create.ts';
import { checkDisputes } from '../../workers/dispute-check.ts';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import type { JobHandler } from '../../workers/job-handler.ts';
import { processNotification } from '../../workers/notification-process.ts';
import { auditPaymentsNightly } from '../../workers/payment-audit.ts';
import { createPaymentsLister } from '../../workers/payments-list.ts';
import { checkRefund } from '../../workers/refund-check.ts';
import { executeRefund } from '../../workers/refund-execute.ts';
import { listRefunds } from '../../workers/refunds-list.ts';
import { runJob } from '../../workers/run-job.ts';
import { type Checkout, newCharge } from '../support/charges.ts';
import { DAY } from '../support/clock.ts';
import { leapingTime, withProvider } from '../support/connection-task.ts';
import { approvedRefund } from '../support/refunds.ts';
import { useStack } from '../support/stack.ts';

type Question = (asked: never, options: CallOptions) => Promise<unknown>;

type Change = (real: Provider) => Partial<Provider>;

const SLACK_MS = 10_000;
/** The test clock moves by a millisecond each time it is read. */
const READS_MS = 1_000;

/**
 * A provider that answers each page in 7 s takes all the time that a question of several pages may
 * take. Here every question does.
 */
describe('A provider that takes all the time it is given', () => {
  const stack = useStack({ workers: false, payouts: true });
  let tookMs: number;
  before(() => runHousekeeping(stack.context));

  const slowly =
    (change: Change, leap: (ms: number) => void) =>
    (real: Provider): Partial<Provider> => {
      const questions = Object.entries({ ...real, ...change(real) }).filter(
        ([name, value]) => typeof value === 'function' && !/^read/.test(name),
      ) as [string, Question][];
      return Object.fromEntries(
        questions.map(([name, ask]) => [
          name,
          (asked: never, options: CallOptions = asked) => {
            leap(options.totalMs ?? options.timeoutMs);
            return ask(asked, options);
          },
        ]),
      );
    };

  const run = async (handler: JobHandler<any>, row: DueRow, change: Change = () => ({})) => {
    const { context, clock } = stack;
    const startedAt = clock();
    using time = leapingTime();
    const leap = (ms: number) => {
      clock.advance(ms);
      time.leap(ms);
    };
    const slow = withProvider({ ...context, isHalfOpen: () => true }, slowly(change, leap));
    const ending = await runJob(slow, handler, row);
    tookMs = clock().getTime() - startedAt.getTime();
    return ending;
  };

  const expectWithinLease = (queue: RowQueue, leastMs: number) => {
    expect(tookMs).to.be.within(leastMs, queues[queue].leaseMs - SLACK_MS + READS_MS);
    expect(tookMs).to.be.below(jobTimeoutMs(queue));
  };

  const rowOf = async (table: string, where: string, values: unknown[] = []) => {
    const [row] = await stack.context.db.query<DueRow>(
      `update ${table} set due_at = to_timestamp(0) where id = (
         select id from ${table} where ${where} order by id desc limit 1) returning id, tries`,
      values,
    );
    return row!;
  };
  const attemptOf = ({ reference }: Checkout) =>
    rowOf('attempts', 'charge_id = (select id from charges where number = $1)', [
      Number(reference.slice(3)),
    ]);
  const taskOf = (name: string, slot: string) =>
    rowOf(
      'connection_tasks',
      'task = $1 and connection_id = (select id from connections where slot = $2 limit 1)',
      [name, slot],
    );

  const openCharge = async (provider: string) => {
    const charge = await newCharge(stack, { provider });
    await runJob(stack.context, createCharge, await attemptOf(charge));
    return charge;
  };
  const payWithout = async (charge: Checkout) => {
    await stack.control.pay(charge.reference, { notify: false, channel: 'bank_transfer' });
    return charge;
  };
  const paidCharge = async (provider: string) => {
    const charge = await payWithout(await openCharge(provider));
    await runJob(stack.context, checkCharge, await attemptOf(charge));
    return charge;
  };
  const mentionsRefunds: Change = (real) => ({
    verify: async (...asked) => ({ ...(await real.verify(...asked)), hasRefunds: true }),
  });

  it('holds the creation of a payment, with its outcome unknown before and after, no longer than its lease', async () => {
    const attempt = await attemptOf(await newCharge(stack, { provider: 'provider_a' }));
    await stack.sql`
      update attempts set status = 'sending', sent_at = created_at where id = ${attempt.id}`;
    await run(createCharge, attempt, (real) => ({
      ...mentionsRefunds(real),
      async create(...order) {
        await real.create(...order);
        throw new ProviderError('unknown', 'create', 'no answer');
      },
    }));
    expectWithinLease('charge-create', 30_000);
  });

  for (const provider of ['provider_a', 'provider_b', 'provider_c'])
    it(`holds the check of a payment and its refunds no longer than its lease (${provider})`, async () => {
      const charge = await payWithout(await openCharge(provider));
      await run(checkCharge, await attemptOf(charge), mentionsRefunds);
      expectWithinLease('charge-check', 20_000);
    });

  it('holds a notification that leads to refunds and disputes no longer than its lease', async () => {
    const charge = await openCharge('provider_a');
    await stack.control.pay(charge.reference);
    await stack.sandbox.tick();
    const row = await rowOf('notifications', "status = 'received'");
    await stack.sql`update notifications set about = 'dispute' where id = ${row.id}`;
    await run(processNotification, row, mentionsRefunds);
    expectWithinLease('notification-process', 30_000);
  });

  for (const provider of ['provider_a', 'provider_b'])
    it(`holds a refund no longer than its lease (${provider})`, async () => {
      const { id } = await approvedRefund(stack, await paidCharge(provider));
      await run(executeRefund, await rowOf('refunds', 'id = $1', [id]));
      expectWithinLease('refund-execute', 15_000);
    });

  it('holds a refund that is looked for and sent again no longer than its lease', async () => {
    const { id } = await approvedRefund(stack, await paidCharge('provider_c'));
    await stack.sql`
      update refunds set status = 'unconfirmed', sent_at = approved_at where id = ${id}`;
    await run(checkRefund, await rowOf('refunds', 'id = $1', [id]));
    expectWithinLease('refund-check', 40_000);
  });

  it('holds a round over many disputes no longer than its lease; the next one continues', async () => {
    for (let count = 0; count < 5; count++) {
      const charge = await paidCharge('provider_a');
      await stack.control.dispute(charge.reference);
    }
    await runJob(stack.context, checkDisputes, await taskOf('disputes', 'provider_a'));
    stack.clock.advance(10 * DAY); // no list contains them any more
    await stack.sql`update connection_tasks set done_at = ${stack.clock()}`;
    expect(await run(checkDisputes, await taskOf('disputes', 'provider_a'))).to.equal('snooze');
    expectWithinLease('dispute-check', 40_000);
    const rounds = ['snooze', 'completed'];
    for (const ending of rounds)
      expect(await run(checkDisputes, await taskOf('disputes', 'provider_a'))).to.equal(ending);
    const late = await stack.sql`
      select from disputes where asked_at < ${new Date(stack.clock().getTime() - DAY)}`;
    expect(late, 'never asked about').to.deep.equal([]);
  });

  it('holds a list of payments, with those not on record verified, no longer than its lease', async () => {
    for (let count = 0; count < 7; count++) await payWithout(await openCharge('provider_a'));
    await run(
      createPaymentsLister(stack.context),
      await taskOf('payments', 'provider_a'),
      mentionsRefunds,
    );
    expectWithinLease('payments-list', 40_000);
  });

  it("holds the copy of an account's refunds, and its nightly audit, no longer than their leases", async () => {
    await run(listRefunds, await taskOf('refunds', 'provider_b'));
    expectWithinLease('refunds-list', 15_000);
    await run(auditPaymentsNightly, await taskOf('audit', 'provider_a'), mentionsRefunds);
    expectWithinLease('payment-audit', 15_000);
  });
});
