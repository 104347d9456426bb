import { expect } from 'chai';
import { disputesAskedAtOnce } from '../../domain/jobs.ts';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { paidCharge, stored } from '../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../support/clock.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

describe('Checking disputes', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack();
    await runHousekeeping(stack.context);
    await stack.control.faults({ drop_notifications: true });
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  const pass = async (ms: number) => {
    stack.clock.advance(ms);
    await stack.settle();
  };
  const tasks = () =>
    stack.context.db.query<Record<string, any>>(
      `select d.*, c.adapter, c.tenant_id from connection_tasks d join connections c on c.id = connection_id where task = 'disputes' order by d.id`,
    );
  const statusOf = async (charge: { reference: string }) => (await stored(stack, charge)).status;

  it('is a task of every connection whose provider lists disputes, created once by housekeeping', async () => {
    await stack.newTenant();
    await runHousekeeping(stack.context);
    expect((await runHousekeeping(stack.context)).changed.connection_tasks).to.equal(0);
    const [lacking] = await stack.context.db.query<{ count: number }>(
      `select count(*) as count from connections where adapter <> 'monnify' and id not in (select connection_id from connection_tasks where task = 'disputes')`,
    );
    expect(lacking!.count).to.equal(0);
    expect((await tasks()).map(({ adapter }) => adapter)).not.to.include('monnify');
  });

  it('finds within the hour a dispute without a notification, and how it ended', async () => {
    const charge = await paidCharge(stack);
    await stack.control.dispute(charge.reference);
    await pass(HOUR + MINUTE);
    expect(await statusOf(charge)).to.equal('disputed');
    await stack.control.dispute(charge.reference, 'lost');
    await pass(HOUR + MINUTE);
    const { status, refunded_kobo: refundedKobo, events } = await stored(stack, charge);
    expect([status, refundedKobo]).to.deep.equal(['refunded', 100_000]);
    expect(events.map(({ type }) => type)).to.deep.equal(['charge.succeeded', 'charge.disputed']);
  });

  it('finds the end of a dispute older than the list reaches, for a disabled connection too', async () => {
    const charge = await paidCharge(stack);
    await stack.control.dispute(charge.reference);
    await pass(HOUR + MINUTE);
    const { connection_id: connectionId } = await stored(stack, charge);
    await stack.context.db.query('update connections set disabled_at = now() where id = $1', [
      connectionId,
    ]);
    await pass(8 * DAY);
    await stack.control.dispute(charge.reference, 'won');
    await pass(HOUR + MINUTE);
    expect(await statusOf(charge)).to.equal('succeeded');
    await stack.context.db.query('update connections set disabled_at = null where id = $1', [
      connectionId,
    ]);
  });

  it('checks a bounded number in one claim, and the rest soon after', async () => {
    const charges: Awaited<ReturnType<typeof paidCharge>>[] = [];
    for (let n = 0; n < disputesAskedAtOnce + 2; n++) charges.push(await paidCharge(stack));
    for (const charge of charges) await stack.control.dispute(charge.reference);
    await pass(HOUR + MINUTE);
    await pass(8 * DAY); // no list contains them any more
    for (const charge of charges) await stack.control.dispute(charge.reference, 'won');
    await pass(HOUR + MINUTE);
    const statuses = async () =>
      (await Promise.all(charges.map(statusOf))).filter((status) => status === 'succeeded').length;
    expect(await statuses()).to.equal(disputesAskedAtOnce);
    await pass(5 * MINUTE);
    expect(await statuses()).to.equal(charges.length);
  });

  it('is retried soon when the provider does not answer, and reaches further back after a long outage', async () => {
    const charge = await paidCharge(stack);
    await stack.control.faults({ error_rate: 1, drop_notifications: true });
    await stack.control.dispute(charge.reference);
    await pass(9 * DAY);
    expect(await statusOf(charge)).to.equal('succeeded');
    await stack.control.faults({ drop_notifications: true });
    await pass(6 * MINUTE);
    expect(await statusOf(charge)).to.equal('disputed');
  });
});
