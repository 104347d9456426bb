import { expect } from 'chai';
import { disputesAskedAtOnce } from '../../domain/jobs.ts';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { paidCharge, stored } from '../support/charges.ts';
import { DAY, HOUR, MINUTE } from '../support/clock.ts';
import { connectionOf } from '../support/provider-account.ts';
import { eventsOf, refundsOf, settleRefunds } from '../support/refunds.ts';
import { sandboxAccount } from '../support/sandbox-store.ts';
import { useStack } from '../support/stack.ts';

describe('What begins at a provider:', () => {
  const stack = useStack();
  afterEach(() => stack.control.faults());

  describe('a refund made in the provider’s own dashboard', () => {
    const listed = async () => {
      await stack.sandbox.tick();
      for (let hour = 0; hour < 2; hour++) await settleRefunds(stack, HOUR + MINUTE);
      return stack.sql`select connection_id from listed_refunds where not is_recorded`;
    };

    it('is recorded with origin provider when the provider notifies us, with its event', async () => {
      const charge = await paidCharge(stack);
      await stack.control.refundNow(charge.reference, 60_000);
      await settleRefunds(stack);
      const [adopted, ...others] = await refundsOf(stack, charge);
      expect(others).to.deep.equal([]);
      expect(adopted).to.include({ origin: 'provider', status: 'completed', amount_kobo: 60_000 });
      expect(await eventsOf(stack, adopted!)).to.deep.equal([
        { type: 'refund.completed', data: adopted },
      ]);
      expect(await stored(stack, charge)).to.include({
        status: 'succeeded',
        refunded_kobo: 60_000,
      });
    });

    it('is found in the list of all refunds where the provider lists none by payment', async () => {
      const charge = await paidCharge(stack, { provider: 'provider_b' });
      await runHousekeeping(stack.context);
      await stack.settle();
      await stack.control.faults({ drop_notifications: true });
      await stack.control.refundNow(charge.reference, 30_000);
      expect(await listed(), 'asked about once').to.deep.equal([]);
      const [refund, ...more] = await refundsOf(stack, charge);
      expect(refund).to.include({ origin: 'provider', status: 'completed', amount_kobo: 30_000 });
      expect(more).to.deep.equal([]);
      expect(await eventsOf(stack, refund!)).to.have.length(1);
      expect(await stored(stack, charge)).to.include({
        status: 'succeeded',
        refunded_kobo: 30_000,
      });
    });

    it('of a payment that is not ours is listed and left alone', async () => {
      const connectionId = await connectionOf(stack, 'provider_b');
      const theirs = { provider: 'flutterwave', reference: 'INVOICE-7', amount_kobo: 80_000 };
      await stack.control.stranger(sandboxAccount(stack, connectionId).id, theirs);
      await runHousekeeping(stack.context);
      await stack.settle();
      await stack.control.refundNow(theirs.reference, 31_000);
      expect(await listed()).to.deep.equal([{ connection_id: connectionId }]);
      const { json } = await stack.api.get('/refunds?limit=100');
      expect(json.data.filter(({ amount_kobo: kobo }: any) => kobo === 31_000)).to.deep.equal([]);
    });

    it('is one refund when the provider notifies us of the whole payment twice at once', async () => {
      await stack.control.faults({ duplicate_notifications: true });
      const charge = await paidCharge(stack);
      await stack.control.refundNow(charge.reference);
      await settleRefunds(stack);
      await settleRefunds(stack, MINUTE);
      expect(await refundsOf(stack, charge)).to.have.length(1);
      expect(await stored(stack, charge)).to.include({
        status: 'refunded',
        refunded_kobo: 100_000,
      });
    });
  });

  describe('checking disputes', () => {
    before(() => runHousekeeping(stack.context));
    beforeEach(() => stack.control.faults({ drop_notifications: true }));

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
        (await Promise.all(charges.map(statusOf))).filter((status) => status === 'succeeded')
          .length;
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
});
