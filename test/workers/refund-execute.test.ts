import { expect } from 'chai';
import { executeRefund } from '../../workers/refund-execute.ts';
import { runJob } from '../../workers/run-job.ts';
import { paidCharge, putCharge, stored } from '../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../support/clock.ts';
import { answerNext, interceptCalls } from '../support/intercept.ts';
import {
  approvedRefund,
  eventsOf,
  refundedCharge,
  refundRow,
  refundsOf,
  refundsTaken,
  settleRefunds,
  unsentRefund,
} from '../support/refunds.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

describe('A refund that is sent to the provider', () => {
  let stack: Stack;
  let sentBefore = 0;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  interceptCalls();
  beforeEach(async () => {
    sentBefore = await refundsTaken(stack);
  });
  afterEach(async () => {
    await stack.control.faults();
    await expectNoLeaks(stack);
  });

  const postRefund = () => answerNext('POST', `${stack.sandbox.url}/paystack/refund`);
  const sentOf = async () => (await refundsTaken(stack)) - sentBefore;
  const historyOf = async ({ reference }: { reference: string }) =>
    (
      await stack.api.get<{ data: { what: string }[] }>(`/charges/${reference}/timeline`)
    ).json.data.map(({ what }) => what);

  it('of the whole payment makes the charge refunded, with one webhook', async () => {
    const { charge, refund } = await refundedCharge(stack);
    await settleRefunds(stack);
    const { json } = await stack.api.get(`/refunds/${refund.id}`);
    expect(json).to.include({
      status: 'completed',
      amount_kobo: 100_000,
      attention: null,
      failure_message: null,
      origin: 'merchant',
    });
    expect(await eventsOf(stack, refund)).to.deep.equal([{ type: 'refund.completed', data: json }]);
    expect(await stored(stack, charge)).to.include({ status: 'refunded', refunded_kobo: 100_000 });
    expect(await sentOf()).to.equal(1);
    expect((await historyOf(charge)).slice(-6)).to.deep.equal([
      ...[
        'refund.requested',
        'refund.approved',
        'refund.processing',
        'refund.accepted',
        'refund.completed',
        'charge.refunded',
      ],
    ]);
  });

  it('in parts is a refund for each part; the last makes the charge refunded', async () => {
    const { charge } = await refundedCharge(stack, 30_000);
    await settleRefunds(stack);
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', refunded_kobo: 30_000 });
    await approvedRefund(stack, charge);
    await settleRefunds(stack);
    expect(
      (await refundsOf(stack, charge)).map(({ amount_kobo, status }) => [amount_kobo, status]),
    ).to.deep.equal([
      [30_000, 'completed'],
      [70_000, 'completed'],
    ]);
    expect(await stored(stack, charge)).to.include({ status: 'refunded', refunded_kobo: 100_000 });
  });

  it('fails with an event when the provider fails it, and its amount may be refunded again', async () => {
    const charge = await paidCharge(stack);
    await stack.control.planRefund(charge.reference, 'failed');
    const refund = await approvedRefund(stack, charge);
    await settleRefunds(stack);
    const { json } = await stack.api.get(`/refunds/${refund.id}`);
    expect(json.status).to.equal('failed');
    expect(json.failure_message).to.match(/^[A-Z].+/);
    expect(await eventsOf(stack, refund)).to.deep.equal([{ type: 'refund.failed', data: json }]);
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', refunded_kobo: 0 });
    await approvedRefund(stack, charge);
    await settleRefunds(stack);
    expect(await stored(stack, charge)).to.include({ status: 'refunded', refunded_kobo: 100_000 });
  });

  it('that needs attention at the provider says why, and is checked until it ends', async () => {
    const charge = await paidCharge(stack);
    await stack.control.planRefund(charge.reference, 'needs-attention');
    const refund = await approvedRefund(stack, charge);
    await settleRefunds(stack);
    const { json } = await stack.api.get(`/refunds/${refund.id}`);
    expect(json.status).to.equal('processing');
    expect(json.attention.reason).to.match(/^[A-Z].+/);
    expect(await eventsOf(stack, refund)).to.deep.equal([]);
    stack.clock.advance(21 * 24 * HOUR);
    await stack.settle();
    expect(await refundRow(stack, refund)).to.include({ status: 'needs_attention', due_at: null });
    expect((await historyOf(charge)).filter((what) => what === 'refund.attention')).to.have.length(
      1,
    );
  });

  it('is found at the provider and never sent again when the answer was lost', async () => {
    const charge = await paidCharge(stack);
    await stack.control.faults({ timeout_after_accept_rate: 1, drop_notifications: true });
    const refund = await withShortTimeouts(stack, ['createMs'], async () => {
      const unanswered = await approvedRefund(stack, charge);
      await stack.settle();
      return unanswered;
    });
    await stack.control.faults();
    expect(await refundRow(stack, refund)).to.include({ status: 'unconfirmed', accepted_at: null });
    await settleRefunds(stack, 5 * MINUTE);
    expect(await refundRow(stack, refund)).to.include({ status: 'completed' });
    expect(await sentOf()).to.equal(1);
  });

  it('is looked for three times and never sent again when it may not have arrived, and then needs a person', async () => {
    const charge = await paidCharge(stack);
    postRefund().with(500, { status: false, message: 'An error occurred' });
    const refund = await approvedRefund(stack, charge);
    await stack.settle();
    for (const wait of [5 * MINUTE, 25 * MINUTE]) {
      stack.clock.advance(wait);
      await stack.settle();
      expect(await refundRow(stack, refund)).to.include({ status: 'unconfirmed', attention: null });
    }
    stack.clock.advance(90 * MINUTE);
    await stack.settle();
    const { json } = await stack.api.get(`/refunds/${refund.id}`);
    expect(json).to.include({ status: 'processing' });
    expect(json.attention.reason).to.include('not sent again');
    stack.clock.advance(24 * HOUR);
    await stack.settle();
    expect(await sentOf()).to.equal(0);
    expect((await historyOf(charge)).filter((what) => what === 'refund.attention')).to.have.length(
      1,
    );
  });

  it('is not sent by another worker after one was killed before the call, because it may have been sent', async () => {
    const charge = await paidCharge(stack);
    await stack.control.faults({ error_rate: 1 });
    const refund = await approvedRefund(stack, charge);
    await stack.settle();
    await stack.context.db.query(
      `update refunds set status = 'sending', sent_at = $2, capture_id = c.capture_id, connection_id = c.connection_id
       from charges c where c.id = charge_id and refunds.id = $1`,
      [refund.id, stack.clock()],
    );
    await stack.control.faults();
    stack.clock.advance(3 * HOUR);
    await stack.settle();
    expect(await sentOf()).to.equal(0);
    expect((await refundRow(stack, refund)).attention).to.include('not sent again');
  });

  it('waits for a provider that cannot be reached, and is sent once it can', async () => {
    const charge = await paidCharge(stack);
    postRefund().withoutConnection();
    const refund = await approvedRefund(stack, charge);
    await stack.settle();
    expect(await refundRow(stack, refund)).to.include({ status: 'approved', sent_at: null });
    await settleRefunds(stack, 5 * SECOND);
    await settleRefunds(stack, 5 * SECOND);
    expect(await refundRow(stack, refund)).to.include({ status: 'completed' });
    expect(await sentOf()).to.equal(1);
  });

  it('fails with the provider’s message when the provider refuses it', async () => {
    const charge = await paidCharge(stack);
    postRefund().with(400, {
      status: false,
      message: 'Insufficient balance to fulfill this refund. Please top up.',
    });
    const refund = await approvedRefund(stack, charge);
    await stack.settle();
    const { json } = await stack.api.get(`/refunds/${refund.id}`);
    expect(json.status).to.equal('failed');
    expect(json.failure_message).to.include('Insufficient balance');
  });

  it('is sent once, however often its job runs', async () => {
    const refund = await approvedRefund(stack, await paidCharge(stack));
    const job = { id: refund.id };
    await Promise.all(
      Array.from({ length: 8 }, () => runJob(stack.context, executeRefund as never, job)),
    );
    await settleRefunds(stack);
    expect(await sentOf()).to.equal(1);
    expect(await refundRow(stack, refund)).to.include({ status: 'completed' });
  });

  it('waits while the charge is disputed, and is not sent once the dispute took the money', async () => {
    const charge = await paidCharge(stack);
    const refund = await unsentRefund(stack, charge);
    await putCharge(stack, charge, 'disputed');
    await settleRefunds(stack, MINUTE);
    const waiting = await refundRow(stack, refund);
    expect(waiting).to.include({ status: 'approved', sent_at: null });
    expect(waiting.attention).to.include('disputed');
    await putCharge(stack, charge, 'refunded');
    await settleRefunds(stack, HOUR);
    expect(await refundRow(stack, refund)).to.include({ status: 'failed', attention: null });
    expect(await sentOf()).to.equal(0);
  });

  it('waits while its connection is disabled, and is sent once it is enabled', async () => {
    const charge = await paidCharge(stack);
    const disable = (at: Date | null) =>
      stack.context.db.query('update connections set disabled_at = $1', [at]);
    await disable(stack.clock());
    const refund = await approvedRefund(stack, charge);
    await stack.settle();
    expect((await stack.api.get(`/refunds/${refund.id}`)).json.attention.reason).to.include(
      'is disabled',
    );
    expect(await sentOf()).to.equal(0);
    await disable(null);
    await settleRefunds(stack, HOUR);
    await settleRefunds(stack);
    expect(await refundRow(stack, refund)).to.include({ status: 'completed', attention: null });
  });

  it('fails after 7 days in which it cannot be sent, with the reason, an event and a log line, and its amount may be refunded again', async () => {
    const charge = await paidCharge(stack);
    await stack.context.db.query('update connections set disabled_at = $1', [stack.clock()]);
    const refund = await approvedRefund(stack, charge);
    await stack.settle();
    stack.clock.advance(7 * 24 * HOUR - 2 * HOUR);
    await settleRefunds(stack);
    expect(await refundRow(stack, refund)).to.include({ status: 'approved' });
    await settleRefunds(stack, 2 * HOUR);
    await stack.context.db.query('update connections set disabled_at = null');
    const { json } = await stack.api.get(`/refunds/${refund.id}`);
    expect(json).to.include({ status: 'failed', attention: null });
    expect(json.failure_message).to.match(/^It could not be sent for 7 days: .*is disabled/);
    expect(await eventsOf(stack, refund)).to.deep.equal([{ type: 'refund.failed', data: json }]);
    expect((await historyOf(charge)).at(-1)).to.equal('refund.failed');
    expect(await sentOf()).to.equal(0);
    const second = await approvedRefund(stack, charge);
    await settleRefunds(stack);
    await settleRefunds(stack);
    expect(await refundRow(stack, second)).to.include({ status: 'completed' });
  });

  it('of the whole charge cancels the other requests, because nothing is left for them', async () => {
    const charge = await paidCharge(stack);
    const { json } = await stack.api.post('/refunds', {
      reference: charge.reference,
      amount_kobo: 40_000,
      reason: 'Wrong size',
    });
    await stack.control.refundNow(charge.reference);
    await settleRefunds(stack);
    const cancelled = (await stack.api.get(`/refunds/${json.id}`)).json;
    expect(cancelled).to.include({
      status: 'cancelled',
      rejection_reason: 'The charge was refunded in full.',
    });
    expect(await historyOf(charge)).to.include('refund.cancelled');
  });
});
