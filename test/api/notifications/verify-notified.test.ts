import { expect } from 'chai';
import type { Provider } from '../../../domain/providers/port/provider.ts';
import { createJobLoop } from '../../../workers/job-loop.ts';
import { processNotification } from '../../../workers/notification-process.ts';
import { runJob } from '../../../workers/run-job.ts';
import { newCharge, stored } from '../../support/charges.ts';
import { MINUTE, SECOND } from '../../support/clock.ts';
import { openAtProvider } from '../../support/open-at-provider.ts';
import { useStack } from '../../support/stack.ts';
import { type Account, accountsOf, notify } from './given.ts';

type JobHandler = Parameters<typeof runJob>[1];

/**
 * Anybody who learns a Flutterwave hash can sign anything. That must reveal nothing, change nothing
 * and cause few calls.
 */
describe('The verification of a notified payment', () => {
  const stack = useStack({ workers: false });
  let flutterwave: Account;
  let monnify: Account;
  let verifies = 0;
  before(async () => {
    const accounts = await accountsOf(stack, stack.tenant.tenant_id);
    [flutterwave, monnify] = [accounts.flutterwave!, accounts.monnify!];
    const { providerOf } = stack.context;
    stack.context.providerOf = (...opened) => counting(providerOf(...opened));
  });
  beforeEach(() => {
    verifies = 0;
  });

  const counting = (provider: Provider): Provider => ({
    ...provider,
    verify: (...asked) => {
      verifies += 1;
      return provider.verify(...asked);
    },
  });
  const open = async ({ slot }: Account) => {
    const charge = await newCharge(stack, { provider: slot });
    await openAtProvider(stack, charge.reference);
    const { attempts } = await stored(stack, charge);
    return { charge, reference: attempts[0]!.reference as string };
  };
  const rows = () => stack.sql<Record<string, any>>`select * from notifications order by id`;
  const newest = async () => (await rows()).at(-1)!;
  const work = async (context = stack.context) => {
    const now = stack.clock();
    const due = (await rows()).filter(({ due_at: dueAt }) => dueAt !== null && dueAt <= now);
    await Promise.all(
      due.map(({ id }) => runJob(context, processNotification as JobHandler, { id })),
    );
    return due.length;
  };
  const workOff = async () => {
    stack.clock.advance(MINUTE);
    while ((await work()) > 0);
  };
  const notifyOf = (reference: string, more: object) =>
    notify(stack, flutterwave, flutterwave.bodyOf(reference, more));
  const statusOf = async (charge: { reference: string }) => (await stored(stack, charge)).status;

  it('happens once for twenty different bodies that name one payment, and once for the next twenty', async () => {
    const { charge, reference } = await open(flutterwave);
    for (let round = 1; round <= 2; round++) {
      const notes = Array.from({ length: 20 }, (_, n) => `${round}.${n}`);
      await Promise.all(notes.map((note) => notifyOf(reference, { note })));
      verifies = 0;
      await work();
      expect(verifies).to.equal(1);
      stack.clock.advance(5 * SECOND);
      await work();
      expect(verifies, 'with one put after all of them had come').to.equal(2);
      await workOff();
      expect(verifies).to.equal(2);
    }
    expect((await rows()).filter(({ status }) => status !== 'processed')).to.deep.equal([]);
    expect(await statusOf(charge)).to.equal('pending');
  });

  it('happens once for different bodies that are claimed in one statement', async () => {
    const { reference } = await open(flutterwave);
    for (const note of ['one', 'two', 'three']) await notifyOf(reference, { note });
    const due = (await rows()).filter(({ due_at: dueAt }) => dueAt !== null);
    const loop = createJobLoop(stack.context, processNotification as JobHandler);
    expect(due).to.have.length(3);
    const endings = await loop.begin([flutterwave.connectionId]);
    const outcomes = endings.map(({ outcome }) => outcome).sort();
    expect(outcomes).to.deep.equal(['completed', 'snooze', 'snooze']);
    expect(verifies).to.equal(1);
    await workOff();
  });

  it('is repeated for a notification that arrives after it', async () => {
    const { charge, reference } = await open(flutterwave);
    const expectSeen = async (...seen: [verifies: number, charge: string, notification: string]) =>
      expect([verifies, await statusOf(charge), (await newest()).status]).to.deep.equal(seen);
    await notifyOf(reference, { by: 'somebody else' });
    await work();
    await stack.control.pay(charge.reference, { notify: false });
    await notifyOf(reference, { by: 'Flutterwave' });
    await work();
    await expectSeen(1, 'pending', 'received');
    stack.clock.advance(2 * SECOND);
    await work();
    await expectSeen(2, 'succeeded', 'processed');
  });

  it('is repeated for a reversal notified after a verify by a process 2 s ahead', async () => {
    const { charge, reference } = await open(flutterwave);
    const clock = () => new Date(stack.clock().getTime() + 2 * SECOND);
    const ahead = { ...stack.context, clock };
    await stack.control.pay(charge.reference, { notify: false });
    await notifyOf(reference, { note: 'paid' });
    await work(ahead);
    expect([verifies, await statusOf(charge)]).to.deep.equal([1, 'succeeded']);

    stack.clock.advance(SECOND / 2);
    await stack.control.reverse(charge.reference, { notify: false });
    await notifyOf(reference, { note: 'reversed' });
    await work(ahead);
    stack.clock.advance(10 * SECOND);
    await work(ahead);
    expect([verifies, await statusOf(charge)]).to.deep.equal([2, 'refunded']);
  });

  it('is skipped after a verify since the notification arrived, but not after an earlier one', async () => {
    const { charge, reference } = await open(monnify);
    await stack.api.get(`/charges/${charge.reference}`);
    await stack.control.pay(charge.reference, { notify: false });
    await notify(stack, monnify, monnify.bodyOf(reference));
    await work();
    expect([verifies, await statusOf(charge)]).to.deep.equal([2, 'succeeded']);

    const next = await open(monnify);
    await notify(stack, monnify, monnify.bodyOf(next.reference));
    stack.clock.advance(4 * SECOND);
    await stack.api.get(`/charges/${next.charge.reference}`);
    await work();
    expect([verifies, (await newest()).status]).to.deep.equal([3, 'processed']);
  });

  it('is not skipped for a refund after a verify of the payment', async () => {
    const { charge, reference } = await open(monnify);
    await stack.control.pay(charge.reference, { notify: false });
    const refund = { eventType: 'SUCCESSFUL_REFUND', eventData: { paymentReference: reference } };
    await notify(stack, monnify, JSON.stringify(refund));
    stack.clock.advance(4 * SECOND);
    await stack.api.get(`/charges/${charge.reference}`);
    await work();
    expect(verifies).to.equal(2);
  });

  it('is tried as often for a repeated body as for the first', async () => {
    const body = flutterwave.bodyOf((await open(flutterwave)).reference);
    for (let time = 0; time < 16; time++) {
      await notify(stack, flutterwave, body);
      stack.clock.advance(MINUTE);
      await work();
    }
    await stack.control.faults({ error_rate: 1 });
    await notify(stack, flutterwave, body);
    stack.clock.advance(MINUTE);
    await work();
    await stack.control.faults();
    expect((await newest()).due_at).not.to.equal(null);
    stack.clock.advance(MINUTE);
    await work();
    expect((await newest()).status).to.equal('processed');
  });

  it('is spread over claims for many payments, a few in each, and leaves out none', async () => {
    const references: string[] = [];
    for (let n = 0; n < 25; n++) {
      const charge = await newCharge(stack, { provider: monnify.slot });
      references.push((await stored(stack, charge)).attempts[0]!.reference);
    }
    const unknown = Array.from({ length: 2_000 }, (_, n) => `SV-${n}-zzzzzzzz`);
    const named = [...unknown, ...references];
    const transactions = named.map((paymentReference) => ({ paymentReference }));
    const paid = { eventType: 'SUCCESSFUL_TRANSACTION', eventData: { transactions } };
    await notify(stack, monnify, JSON.stringify(paid));
    await work();
    expect(verifies).to.equal(20);
    for (let claims = 0; claims < 10 && (await newest()).status === 'received'; claims++) {
      stack.clock.advance(5 * SECOND);
      await work();
    }
    expect(verifies).to.be.within(25, 45); // some were verified too soon after the arrival to be skipped
    const asked = await stack.sql`select 1 from attempts where reference = any(${references})
      and verified_at is not null`;
    expect([asked.length, (await newest()).status]).to.deep.equal([25, 'processed']);
  });
});
