import { expect } from 'chai';
import { disputesAskedAtOnce } from '../../domain/jobs.ts';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { paidCharge, stored } from '../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../support/clock.ts';
import { useStack } from '../support/stack.ts';

describe('Checking disputes', () => {
  const stack = useStack();
  before(async () => {
    await runHousekeeping(stack.context);
    await stack.control.faults({ drop_notifications: true });
  });

  const statusOf = async (charge: { reference: string }) => (await stored(stack, charge)).status;

  it('is a task of every connection whose provider lists disputes, created once by housekeeping', async () => {
    await stack.newTenant();
    await runHousekeeping(stack.context);
    expect((await runHousekeeping(stack.context)).changed.connection_tasks).to.equal(0);
    const given = await stack.sql`
      select adapter, bool_and(id in (select connection_id from connection_tasks
        where task = 'disputes')) as has_task from connections group by 1 order by 1`;
    expect(given.map((row) => [row.adapter, row.has_task])).to.deep.equal([
      ...[
        ['flutterwave', true],
        ['monnify', false],
        ['paystack', true],
      ], // by hand at Monnify
    ]);
  });

  it('finds the end of a dispute older than the list reaches, for a disabled connection too', async () => {
    const charge = await paidCharge(stack);
    await stack.control.dispute(charge.reference);
    await stack.pass(HOUR + MINUTE);
    const { connection_id: connectionId, status } = await stored(stack, charge);
    expect(status).to.equal('disputed');
    await stack.sql`update connections set disabled_at = now() where id = ${connectionId}`;
    await stack.pass(8 * DAY);
    await stack.control.dispute(charge.reference, 'won');
    await stack.pass(HOUR + MINUTE);
    expect(await statusOf(charge)).to.equal('succeeded');
    await stack.sql`update connections set disabled_at = null where id = ${connectionId}`;
  });

  it('checks a bounded number in one claim, and the rest soon after', async () => {
    const charges: Awaited<ReturnType<typeof paidCharge>>[] = [];
    for (let n = 0; n < disputesAskedAtOnce + 2; n++) charges.push(await paidCharge(stack));
    for (const charge of charges) await stack.control.dispute(charge.reference);
    await stack.pass(HOUR + MINUTE);
    await stack.pass(8 * DAY); // no list contains them any more
    for (const charge of charges) await stack.control.dispute(charge.reference, 'won');
    await stack.pass(HOUR + MINUTE);
    const statuses = async () =>
      (await Promise.all(charges.map(statusOf))).filter((status) => status === 'succeeded').length;
    expect(await statuses()).to.equal(disputesAskedAtOnce);
    await stack.pass(5 * MINUTE);
    expect(await statuses()).to.equal(charges.length);
  });

  it('is retried soon when the provider does not answer, and reaches further back after a long outage', async () => {
    const charge = await paidCharge(stack);
    await stack.control.faults({ error_rate: 1, drop_notifications: true });
    await stack.control.dispute(charge.reference);
    await stack.pass(9 * DAY);
    expect(await statusOf(charge)).to.equal('succeeded');
    await stack.control.faults({ drop_notifications: true });
    await stack.pass(6 * MINUTE);
    expect(await statusOf(charge)).to.equal('disputed');
  });
});
