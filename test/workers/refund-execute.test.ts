import { expect } from 'chai';
import { useLedger } from '../domain/ledger.ts';
import { noAnswer, openRefundFixture, throwing } from '../domain/payments/refund-fixture.ts';
import { DAY, HOUR, SECOND } from '../support/clock.ts';
import { forEachTest } from '../support/for-each-test.ts';

describe('A refund that is sent to the provider', () => {
  const ledger = useLedger();
  const fixture = forEachTest(() => openRefundFixture(ledger));
  let id: string;
  beforeEach(async () => {
    await fixture.pay(500_000);
    id = await fixture.requestRefund();
  });

  const disable = (at: Date | null) => ledger.rows('update connections set disabled_at = $1', at);

  it('is sent once, however often its job runs', async () => {
    await Promise.all(Array.from({ length: 8 }, () => fixture.runJob(id)));
    expect(fixture.sent).to.deep.equal([500_000]);
    expect(await fixture.statuses()).to.deep.equal(['completed']);
  });

  it('is not sent by another worker after one was killed before the call, because it may have been sent', async () => {
    await ledger.rows(
      `update refunds set status = 'sending', sent_at = $2, capture_id = c.capture_id,
         connection_id = c.connection_id from charges c where c.id = charge_id and refunds.id = $1`,
      ...[id, ledger.clock()],
    );
    await fixture.runJob(id, 4);
    expect(fixture.sent).to.deep.equal([]);
    expect((await fixture.refund()).attention).to.include('not sent again');
  });

  it('waits for a provider that cannot be reached, and is sent once it can', async () => {
    const { answer } = fixture;
    fixture.answer = throwing('retryable');
    await fixture.runJob(id);
    expect(await fixture.refund()).to.include({ status: 'approved', sent_at: null });
    fixture.answer = answer;
    await fixture.runJob(id);
    expect(await fixture.statuses()).to.deep.equal(['completed']);
  });

  it('waits while the charge is disputed, and is not sent once the dispute took the money', async () => {
    await fixture.dispute('open');
    await fixture.runJob(id);
    const waiting = await fixture.refund();
    expect(waiting).to.include({ status: 'approved', sent_at: null });
    expect(waiting.attention).to.include('disputed');
    await fixture.dispute('lost');
    await fixture.runJob(id);
    expect(await fixture.refund()).to.include({ status: 'failed', attention: null });
    expect(fixture.sent).to.deep.equal([]);
  });

  it('waits while its connection is disabled, and is sent once it is enabled', async () => {
    await disable(ledger.clock());
    await fixture.runJob(id);
    expect((await fixture.refund()).attention).to.include('is disabled');
    expect(fixture.sent).to.deep.equal([]);
    await disable(null);
    await fixture.runJob(id);
    expect(await fixture.refund()).to.include({ status: 'completed', attention: null });
  });

  it('fails after 7 days in which it cannot be sent, with the reason and an event, and its amount may be refunded again', async () => {
    await disable(ledger.clock());
    ledger.clock.advance(7 * DAY - 2 * HOUR);
    await fixture.runJob(id);
    expect(await fixture.statuses()).to.deep.equal(['approved']);
    ledger.clock.advance(2 * HOUR);
    await fixture.runJob(id);
    await disable(null);
    const failed = await fixture.refund();
    expect(failed).to.include({ status: 'failed', attention: null });
    expect(failed.failure_message).to.match(/^It could not be sent for 7 days: .*is disabled/);
    expect((await ledger.events(id)).at(-1)).to.equal('refund.failed');
    expect((await ledger.timeline(fixture.chargeId)).at(-1)).to.equal('refund.failed');
    await fixture.runJob(await fixture.requestRefund());
    expect(fixture.sent).to.deep.equal([500_000]);
  });

  it('waits for the list of its refunds, and nobody is asked before that has failed six times, without pauses of the provider', async () => {
    fixture.list = throwing('limited');
    await fixture.runJob(id, 10);
    fixture.list = throwing('unknown', 'the list has more than 50 pages');
    await fixture.runJob(id, 5);
    expect(await fixture.refund()).to.include({ status: 'approved', attention: null, tries: 15 });
    await fixture.runJob(id);
    expect((await fixture.refund()).attention).to.include('the list has more than 50 pages');
    fixture.list = async () => fixture.listed;
    await fixture.runJob(id);
    expect(await fixture.refund()).to.include({ status: 'completed', attention: null });
  });

  it('and whose provider takes no calls for 40 s is asked about after them, and as if for the first time', async () => {
    fixture.answer = noAnswer;
    await fixture.runJob(id);
    const { status, tries, snoozes } = await fixture.refund();
    fixture.list = throwing('limited', 'busy', 40 * SECOND);
    await fixture.runJob(id);
    const after = await fixture.refund();
    expect(after.due_at!.getTime() - ledger.clock().getTime()).to.be.within(39_000, 40_000);
    expect(after).to.include({ status, tries: tries + 1, snoozes: snoozes + 1 });
  });
});
