import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { newCharge, openCharge, paidCharge, putCharge, stored } from '../../support/charges.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { runTwice } from '../../support/run-twice.ts';
import { startStack, useStack } from '../../support/stack.ts';

const cancelled = { status: 'failed', failure_cause: 'cancelled' };

describe('POST /charges/{reference}/cancel', () => {
  const stack = useStack();
  afterEach(() => stack.control.faults());

  const cancel = ({ reference }: { reference: string }, body?: object, options = {}) =>
    stack.api.post(`/charges/${reference}/cancel`, body, options);
  it('answers the failed checkout once the provider answered that it is unpaid', async () => {
    const charge = await openCharge(stack);
    const answer = await cancel(charge);
    expect(answer.status).to.equal(200);
    expect(answer.json).to.deep.equal({ ...charge, status: 'failed' });
    expect(await stored(stack, charge)).to.include({
      ...cancelled,
      failure_message: 'The merchant cancelled the charge.',
    });
    expect((await stack.api.get(`/charges/${charge.reference}`)).json).to.deep.equal(answer.json);
  });

  it('is in the timeline and the audit log, and sends charge.failed to subscribed endpoints', async () => {
    await stack.sql`update webhook_endpoints set event_types = '{charge.failed}'`;
    const charge = await openCharge(stack);
    await cancel(charge);
    await stack.settle();
    const events = stack.receiver.received
      .map(({ body }) => JSON.parse(body))
      .filter(({ data }) => data.reference === charge.reference);
    expect(events.map(({ type }) => type)).to.deep.equal(['charge.failed']);
    const failure_message = 'The merchant cancelled the charge.';
    expect(events[0].data).to.include({ status: 'failed', failure_message });
    const { data } = (await stack.api.get(`/charges/${charge.reference}/timeline`)).json;
    const last = data.slice(-2).map(({ what }: { what: string }) => what);
    expect(last).to.deep.equal(['charge.cancel_requested', 'charge.failed']);
    const [entry, ...others] = await auditOf(stack, (await stored(stack, charge)).id);
    expect([entry!.action, others]).to.deep.equal(['charge.cancel_requested', []]);
    await stack.sql`update webhook_endpoints
      set event_types = '{charge.succeeded,refund.completed}'`;
  });

  it('closes a declined charge, whose payer could try again, and leaves it as it is after that', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { outcome: 'failed', notify: false });
    await stack.api.get(`/charges/${charge.reference}`);
    await cancel(charge);
    const answer = await writingNothing(stack, () => cancel(charge));
    expect([answer.status, answer.json.status]).to.deep.equal([200, 'failed']);
    const { failure_cause: cause, cancel_requested_at: closedAt } = await stored(stack, charge);
    expect([cause, closedAt === null]).to.deep.equal(['declined', false]);
  });

  it('waits 2.5 seconds for a provider that hangs', async () => {
    const charge = await openCharge(stack);
    await stack.control.faults({ latency_ms: 60_000 });
    const startedMs = performance.now();
    expect((await cancel(charge)).json.status).to.equal('open');
    expect(performance.now() - startedMs).to.be.within(2_400, 7_000);
  });

  it('finds a payment of which no notification arrived: 409, and the charge has succeeded', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { notify: false });
    const refused = await cancel(charge);
    expectRefused(refused, 'invalid_state');
    expect(refused.json.error.message).to.include('was paid');
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', recovered: false });
    await stack.settle();
    const sent = stack.receiver.received.map(({ body }) => JSON.parse(body).data.reference);
    expect(sent).to.include(charge.reference);
  });

  for (const [status, say] of [
    ['succeeded', /Refund it instead/],
    ['settled', /Refund it instead/],
    ['refunded', /refunded in full/],
    ['disputed', /disputed/],
  ] as const) {
    it(`answers 409 for a charge that is ${status}, with the reason`, async () => {
      const charge = await paidCharge(stack);
      await putCharge(stack, charge, status);
      const refused = await expectRefusal(stack, () => cancel(charge), 'invalid_state');
      expect(refused.json.error.message).to.match(say);
    });
  }

  it('fails the charge once for twenty simultaneous requests', async () => {
    const charge = await openCharge(stack);
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(charge)));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    const { id, events } = await stored(stack, charge);
    expect(events.map(({ type }) => type)).to.deep.equal(['charge.failed']);
    expect(await stack.count(`audit_entries where subject_id = '${id}'`)).to.equal(1);
    expect(await stored(stack, charge)).to.include(cancelled);
  });

  it('leaves the charge paid or recovered when it is paid at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const charge = await openCharge(stack);
      await Promise.all([cancel(charge), stack.control.pay(charge.reference), cancel(charge)]);
      await stack.settle();
      expect(await stored(stack, charge)).to.include({ status: 'succeeded' });
    }
  });
});

describe('POST /charges/{reference}/cancel before the payment is open', () => {
  it('fails a charge that was sent to no provider, and sends it to none', async () => {
    await using stack = await startStack({ workers: false });
    const charge = await newCharge(stack);
    const cancel = () => stack.api.post(`/charges/${charge.reference}/cancel`);
    const [first] = await runTwice(stack, cancel);
    expect(first.json).to.deep.equal({ ...charge, status: 'failed' });
    stack.startWorkers();
    await stack.settle();
    expect((await stack.control.stats()).paystack?.creates ?? 0).to.equal(0);
    expect(await stored(stack, charge)).to.include(cancelled);
  });
});
