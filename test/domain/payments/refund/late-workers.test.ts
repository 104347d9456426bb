import { expect } from 'chai';
import { queues } from '../../../../domain/jobs.ts';
import { checkBeforeResending } from '../../../../domain/payments/facts/send-refund.ts';
import type { RefundRow } from '../../../../domain/payments/refund/row.ts';
import {
  isUnchanged,
  markNotReached,
  markSending,
  writeAttention,
} from '../../../../domain/payments/refund/store.ts';
import type { Tx } from '../../../../domain/shared/tx.ts';
import { claimRow } from '../../../../workers/run-job.ts';
import { DAY, MINUTE } from '../../../support/clock.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { useLedger } from '../../ledger.ts';
import {
  answerWith,
  listedRefund,
  noAnswer,
  openRefundFixture,
  throwing,
} from '../refund-fixture.ts';

describe('A refund that two workers have', () => {
  const ledger = useLedger();
  const fixture = forEachTest(() => openRefundFixture(ledger));
  let id: string;
  beforeEach(async () => {
    await fixture.pay(500_000);
    id = await fixture.requestRefund();
  });

  const payment = async () => {
    const [capture] = await ledger.captures(fixture.chargeId);
    return { ...capture, is_disabled: false, reference: 'SV-1' };
  };
  const claim = async () =>
    (await claimRow<RefundRow>(ledger.db, 'refund-execute', { id }, ledger.clock()))!;
  const mark = async (refund: RefundRow) => {
    const { id: captureId, connection_id: connectionId } = await payment();
    const from = { captureId, connectionId };
    const untilAt = new Date(ledger.clock().getTime() + 10_000);
    return ledger.inTx((tx) => markSending(tx, refund, from, untilAt));
  };
  const claimAfterLease = () => {
    ledger.clock.advance(queues['refund-execute'].leaseMs);
    return claim();
  };

  const stallWhile = async (meanwhile: () => Promise<unknown>, answer = fixture.list) => {
    fixture.answer = noAnswer;
    const { list } = fixture;
    fixture.list = async () => {
      fixture.list = list;
      ledger.clock.advance(MINUTE);
      await fixture.runJob(id);
      expect(await fixture.statuses()).to.deep.equal(['unconfirmed']);
      await meanwhile();
      return answer();
    };
    await fixture.runJob(id);
    expect(await fixture.refund()).to.include({ status: 'unconfirmed', failure_message: null });
    expect(await ledger.endings(id)).to.deep.equal([]);
  };

  it('is not failed by the first, which finds a lost dispute after the other sent it', () =>
    stallWhile(async () => {
      await fixture.dispute('open');
      await fixture.dispute('lost');
    }));

  it('is not given up by the first, whose list fails after the other sent it on the eighth day', async () => {
    const { list } = fixture;
    const failing = throwing('unavailable');
    fixture.list = failing;
    await fixture.runJob(id);
    ledger.clock.advance(8 * DAY);
    fixture.list = list;
    await stallWhile(async () => {}, failing);
  });

  it('is not failed by the first, which finds a lost dispute after the other sent it again', async () => {
    fixture.answer = noAnswer;
    await fixture.runJob(id);
    const stale = await fixture.refund();
    await ledger.rows('update refunds set tries = tries + 1 where id = $1', id);
    await fixture.dispute('open');
    await fixture.dispute('lost');
    const paid = await payment();
    const check = await ledger.inTx((tx) => checkBeforeResending(tx, stale, paid));
    expect(check).to.deep.equal({ type: 'claim lost' });
  });

  const meanwhile: Record<string, (claimed: RefundRow) => Promise<unknown>> = {
    'another worker claimed it after its lease': claimAfterLease,
    async 'another worker claimed it after its lease and sends it'() {
      expect(await mark(await claimAfterLease())).to.equal(true);
    },
    async 'the provider listed it'() {
      await fixture.listMore([{ providerRefundId: `p-${id}`, refundId: id, state: 'processing' }]);
      await ledger.rows(`update refunds set due_at = 'infinity' where id = $1`, id);
    },
    'an operator gave it up': () => fixture.clearUp(id, 'give up'),
  };
  const late: Record<string, (tx: Tx, stale: RefundRow) => Promise<unknown>> = {
    'begins to send it': async (_tx, stale) => expect(await mark(stale)).to.equal(false),
    'was not reached': (tx, stale) => markNotReached(tx, stale),
    'says why it waits': (tx, stale) => writeAttention(tx, stale, 'Its list fails.'),
    'asks whether to send it again': async (tx, stale) =>
      expect(await isUnchanged(tx, stale)).to.equal(false),
  };
  for (const [title, write] of Object.entries(late))
    for (const [what, happens] of Object.entries(meanwhile))
      it(`stays as it is where ${what}, and the first ${title}`, async () => {
        const stale = await claim();
        await happens(stale);
        const before = await fixture.refund();
        await ledger.inTx((tx) => write(tx, stale));
        expect(await fixture.refund()).to.deep.equal(before);
      });

  it('is recorded twice where both sent it, and the provider made it twice under our id', async () => {
    fixture.answer = answerWith('processing');
    await fixture.runJob(id);
    await fixture.listMore([{ providerRefundId: 'second', refundId: id }]);
    const refunds = await fixture.refunds();
    expect(refunds.map(({ origin, status }) => `${origin} ${status}`)).to.deep.equal([
      'merchant processing',
      'provider completed',
    ]);
  });

  it('leaves another refund of ours as it is, where the provider answers both with one id', async () => {
    await fixture.clearUp(id, 'give up');
    const [one, two] = [await fixture.requestRefund(200_000), await fixture.requestRefund(300_000)];
    fixture.answer = ({ refundId, amountKobo }) =>
      listedRefund({ providerRefundId: 'same', refundId, amountKobo, state: 'processing' });
    await fixture.runJob(one);
    const refused = await fixture.runJob(two).catch((error: Error) => error.message);
    expect(refused).to.include('refunds_provider');
    expect(await fixture.statuses()).to.deep.equal(['failed', 'processing', 'sending']);
  });

  it('is not sent where the lease of the first ends before its call would', async () => {
    const claimed = await claim();
    ledger.clock.advance(queues['refund-execute'].leaseMs - 5_000);
    expect(await mark(claimed)).to.equal(false);
  });

  it('is not sent where its connection was disabled since the first read it', async () => {
    const claimed = await claim();
    await ledger.rows('update connections set disabled_at = now()');
    expect(await mark(claimed)).to.equal(false);
    await ledger.rows('update connections set disabled_at = null');
  });
});
