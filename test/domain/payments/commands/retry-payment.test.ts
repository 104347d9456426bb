import { expect } from 'chai';
import type { AttemptRow } from '../../../../domain/payments/attempt/row.ts';
import { arePaymentsLikely } from '../../../../domain/payments/attempt/watched.ts';
import { acceptOrReturnReview } from '../../../../domain/payments/commands/accept-or-return-review.ts';
import { requestCancel } from '../../../../domain/payments/commands/cancel-charge.ts';
import { renewLink } from '../../../../domain/payments/commands/renew-link.ts';
import { retryPayment } from '../../../../domain/payments/commands/retry-payment.ts';
import { expireWhenAnswered } from '../../../../domain/payments/facts/expire-charge.ts';
import { createPaymentLink } from '../../../../domain/payments/payment-link/create.ts';
import { disableLink } from '../../../../domain/payments/payment-link/disable-link.ts';
import { findVisitedLink } from '../../../../domain/payments/payment-link/find.ts';
import { openCharge as openLinkCharge } from '../../../../domain/payments/payment-link/open-charge.ts';
import type { PaymentLinkRow } from '../../../../domain/payments/payment-link/row.ts';
import { HOUR, MINUTE, SECOND } from '../../../support/clock.ts';
import { writingNothing } from '../../../support/row-counts.ts';
import { type Ledger, LIFETIME_MS, useLedger } from '../../ledger.ts';
import {
  accepted,
  declined,
  linkLost,
  openCharge,
  paid,
  recordNotice,
  refused,
  send,
  unpaid,
  verification,
} from '../../notices.ts';

describe('Another try after a decline', () => {
  const ledger = useLedger(['provider_a', 'provider_b']);
  let actor: { tenantId: string; mode: 'test'; subjectId: string; memberId: null };
  before(async () => {
    const [tenant] = await ledger.rows('select id from tenants');
    actor = { tenantId: tenant.id, mode: 'test', subjectId: 'key_test', memberId: null };
  });

  const retry = (id: string) => ledger.tx((tx) => retryPayment(tx, id));
  const retryNothing = async (id: string) =>
    expect(await writingNothing({ context: ledger }, () => retry(id))).to.deep.equal([]);
  const attemptsOf = async (id: string) =>
    (await ledger.attempts(id)).map(({ slot, status }) => `${slot} ${status}`);
  const declinedCharge = async (options?: Parameters<Ledger['newCharge']>[0]) => {
    const { id, attempt } = await openCharge(ledger, options);
    await recordNotice(ledger, attempt.id, declined);
    return { id, first: attempt };
  };
  const openNext = async (id: string): Promise<AttemptRow> => {
    const next = (await ledger.attempts(id)).at(-1)!;
    await send(ledger, next.id);
    await recordNotice(ledger, next.id, accepted);
    return next;
  };
  const retried = async () => {
    const charge = await declinedCharge();
    await retry(charge.id);
    return { ...charge, next: await openNext(charge.id) };
  };

  it('is opened at another connection, and the charge stays failed', async () => {
    const { id } = await declinedCharge();
    const jobs = await retry(id);
    expect(await attemptsOf(id)).to.deep.equal(['provider_a declined', 'provider_b queued']);
    const [old, next] = await ledger.attempts(id);
    expect(next!.reference).not.to.equal(old!.reference);
    expect(jobs).to.have.length(1);
    expect(jobs[0]).to.include({ queue: 'charge-create', id: next!.id });
    await openNext(id);
    expect(await ledger.charge(id)).to.include({ status: 'failed', slot: 'provider_a' });
    expect((await ledger.timeline(id)).at(-1)).to.equal('charge.retried');
    expect(await ledger.events(id), 'no second event').to.deep.equal(['charge.failed']);
  });

  it('is opened at the same connection where it is the only one, or the charge names its slot', async () => {
    const named = await declinedCharge({ provider: 'provider_a' });
    await retry(named.id);
    expect(await attemptsOf(named.id)).to.deep.equal(['provider_a declined', 'provider_a queued']);
    const alone = await declinedCharge();
    await ledger.whileDisabled(1, () => retry(alone.id));
    expect(await attemptsOf(alone.id)).to.deep.equal(['provider_a declined', 'provider_a queued']);
  });

  it('is opened once for many simultaneous requests', async () => {
    const { id } = await declinedCharge();
    const jobs = await Promise.all(Array.from({ length: 10 }, () => retry(id)));
    expect(jobs.flat()).to.have.length(1);
    expect(await attemptsOf(id)).to.have.length(2);
  });

  it('recovers the charge once it is paid, with one event', async () => {
    const { id, next } = await retried();
    await recordNotice(ledger, next.id, paid(next));
    expect(await ledger.charge(id)).to.include({
      ...{ status: 'succeeded', recovered: true, retrying: false, slot: 'provider_b' },
      ...{ failure_message: null, failed_at: null },
    });
    expect(await ledger.events(id)).to.deep.equal(['charge.failed', 'charge.succeeded']);
  });

  for (const isFirst of [true, false])
    it(`and the declined one may both be paid: the ${isFirst ? 'new' : 'declined'} one, which comes later, goes back`, async () => {
      const { id, first, next } = await retried();
      const order = isFirst ? [first, next] : [next, first];
      for (const attempt of order) await recordNotice(ledger, attempt.id, paid(attempt));
      const captures = await ledger.captures(id);
      expect(captures.map(({ attempt_id, status }) => [attempt_id, status])).to.deep.equal([
        [order[0]!.id, 'applied'],
        [order[1]!.id, 'duplicate'],
      ]);
      const refunds = await ledger.rows('select * from refunds where charge_id = $1', id);
      expect(refunds).to.have.length(1);
      expect(refunds[0]).to.include({ origin: 'system', capture_id: captures[1].id });
      expect(await ledger.events(id)).to.deep.equal(['charge.failed', 'charge.succeeded']);
    });

  it('that is declined too leaves the charge failed without a second event, with the last reason', async () => {
    const { id, next } = await retried();
    const { failed_at: before } = await ledger.charge(id);
    const counted = await ledger.rows('select * from figure_changes');
    ledger.clock.advance(MINUTE);
    const reason = verification('declined', { failureMessage: 'Do not honour' });
    await recordNotice(ledger, next.id, reason);
    await writingNothing({ context: ledger }, () => recordNotice(ledger, next.id, reason));
    const charge = await ledger.charge(id);
    expect(charge).to.include({
      ...{ status: 'failed', retrying: false, failure_message: 'Do not honour' },
    });
    expect(charge.failed_at).to.be.at.least(new Date(before!.getTime() + MINUTE));
    expect(charge.first_failed_at, 'the day that it counts for').to.deep.equal(before);
    expect(await ledger.rows('select * from figure_changes')).to.deep.equal(counted);
    expect((await ledger.timeline(id)).slice(-2)).to.deep.equal([
      'attempt.declined',
      'charge.retry_failed',
    ]);
    await retry(id);
    expect((await attemptsOf(id)).at(-1), 'the earliest decline').to.equal('provider_a queued');
  });

  it('is offered until five were declined', async () => {
    const { id } = await declinedCharge();
    for (let tries = 1; tries < 5; tries++) {
      await retry(id);
      await recordNotice(ledger, (await openNext(id)).id, declined);
    }
    expect(await attemptsOf(id)).to.have.length(5);
    await retryNothing(id);
  });

  it('is offered until five were declined, however often a link ran out in between', async () => {
    const { id } = await declinedCharge();
    for (let tries = 1; tries < 5; tries++) {
      await retry(id);
      await recordNotice(ledger, (await openNext(id)).id, verification('ended'));
      await ledger.tx((tx) => renewLink(tx, id));
      await recordNotice(ledger, (await openNext(id)).id, declined);
    }
    expect(await attemptsOf(id)).to.have.length(9);
    await retryNothing(id);
  });

  it('moves on to the next connection when one refuses it, and ends with the last', async () => {
    const { id } = await declinedCharge();
    await retry(id);
    await recordNotice(ledger, (await ledger.attempts(id))[1]!.id, refused);
    expect((await attemptsOf(id)).at(-1)).to.equal('provider_a queued');
    await recordNotice(ledger, (await ledger.attempts(id))[2]!.id, refused);
    expect(await ledger.charge(id)).to.include({ retrying: false, failure_cause: 'declined' });
    await retryNothing(id);
    await ledger.rows(
      "update attempts set status = 'lost' where charge_id = $1 and status = 'refused'",
      id,
    );
    expect(await retry(id), 'once a provider can take it').to.have.length(1);
  });

  it('is replaced when its link is lost, and renewed when its link has ended', async () => {
    const { id } = await declinedCharge();
    await retry(id);
    const second = (await ledger.attempts(id))[1]!;
    await send(ledger, second.id);
    await recordNotice(ledger, second.id, linkLost);
    const third = await openNext(id);
    await recordNotice(ledger, third.id, verification('ended'));
    await ledger.tx((tx) => renewLink(tx, id));
    expect((await attemptsOf(id)).slice(1)).to.deep.equal([
      ...['provider_b lost', 'provider_b expired', 'provider_b queued'],
    ]);
  });

  it('is checked as a first one is, and the declined one as before', async () => {
    const { first, next } = await retried();
    const dueIn = async (attempt: AttemptRow) => {
      const [row] = await ledger.rows('select due_at from attempts where id = $1', attempt.id);
      return Math.round((row.due_at.getTime() - ledger.clock().getTime()) / SECOND);
    };
    expect(await dueIn(next)).to.equal(10);
    expect(await dueIn(first)).to.equal(30);
    ledger.clock.advance(HOUR);
    for (const { id } of [next, first]) await recordNotice(ledger, id, unpaid);
    expect(await dueIn(next), 'lists show it').to.equal((LIFETIME_MS - HOUR) / SECOND);
    expect(await dueIn(first), 'six hours after the decline').to.equal((5 * HOUR) / SECOND);
    const connections = await ledger.rows('select * from connections order by position');
    const areLikely = () =>
      arePaymentsLikely({ sql: ledger.db, now: ledger.clock() }, connections as never);
    await recordNotice(ledger, next.id, declined);
    expect((await areLikely())[1]).to.equal(true);
  });

  it('ends with the charge, once its provider has answered', async () => {
    const { id, next } = await retried();
    ledger.clock.advance(LIFETIME_MS);
    await ledger.tx((tx) => expireWhenAnswered(tx, id));
    expect(await ledger.charge(id)).to.include({ retrying: true });
    await recordNotice(ledger, next.id, unpaid);
    expect(await ledger.charge(id)).to.include({
      ...{ status: 'failed', retrying: false, failure_cause: 'declined' },
    });
    const [row] = await ledger.rows('select due_at from attempts where id = $1', next.id);
    expect(row.due_at, 'money may come late').not.to.equal(null);
    await retryNothing(id);
  });

  it('ends when the merchant cancels, and none is offered after it', async () => {
    const { id, next } = await retried();
    await ledger.tx((tx) => requestCancel(tx, actor, id));
    expect(await ledger.charge(id), 'the provider is asked first').to.include({ retrying: true });
    ledger.clock.advance(SECOND);
    await recordNotice(ledger, next.id, unpaid);
    expect(await ledger.charge(id)).to.include({ retrying: false, failure_cause: 'cancelled' });
    const other = await declinedCharge();
    await ledger.tx((tx) => requestCancel(tx, actor, other.id));
    await retryNothing(other.id);
  });

  it('waits for a person who decides about money that came', async () => {
    const { id, first } = await declinedCharge();
    await recordNotice(ledger, first.id, paid(first, { amountKobo: 100 }));
    await retryNothing(id);
  });

  it('is not opened after a person has decided, where the merchant cancelled before', async () => {
    const { id, first } = await declinedCharge();
    await recordNotice(ledger, first.id, paid(first, { amountKobo: 100 }));
    await ledger.tx((tx) => requestCancel(tx, actor, id));
    const [review] = await ledger.rows('select id from reviews where charge_id = $1', id);
    const decided = { id: review.id, decision: 'returned', note: null } as const;
    await ledger.tx((tx) => acceptOrReturnReview(tx, actor, decided));
    expect(await ledger.charge(id)).to.include({ status: 'failed', failure_cause: 'declined' });
    await retryNothing(id);
  });

  describe('of a payment link', () => {
    let link: PaymentLinkRow;
    const collect = () => {
      const payer = { email: 'ada@example.com', name: null, phone: null };
      return ledger.inTx((tx) => openLinkCharge(tx, link, payer, LIFETIME_MS));
    };
    const declinedOf = async () => {
      const { id, attemptId } = await collect();
      await send(ledger, attemptId!);
      await recordNotice(ledger, attemptId!, accepted);
      await recordNotice(ledger, attemptId!, declined);
      return id;
    };
    const openId = async () => (await findVisitedLink(ledger.db, link.id))!.open_charge_id;
    beforeEach(async () => {
      const wanted = {
        ...{ amountKobo: 500_000, description: 'Rice', provider: 'auto' as const },
        ...{ customerName: null, customerEmail: null, customerPhone: null, expiresInDays: 7 },
      };
      link = (await ledger.inTx((tx) => createPaymentLink(tx, actor, wanted)))!;
    });

    it('is where the link leads, and no other charge is opened meanwhile', async () => {
      const id = await declinedOf();
      await retry(id);
      expect(await openId()).to.equal(id);
      expect((await collect()).attemptId).to.equal(null);
      await recordNotice(ledger, (await openNext(id)).id, declined);
      expect(await openId()).to.equal(null);
      expect((await collect()).attemptId).not.to.equal(null);
    });

    it('is not opened once another charge took its place', async () => {
      const id = await declinedOf();
      const other = await collect();
      await retryNothing(id);
      await recordNotice(ledger, other.attemptId!, paid((await ledger.attempts(other.id))[0]!));
      await retryNothing(id);
    });

    it('is not opened once the merchant closed the link', async () => {
      const id = await declinedOf();
      await ledger.inTx((tx) => disableLink(tx, actor, link.id));
      await retryNothing(id);
    });

    it('and another visitor at the same time open one payment', async () => {
      const id = await declinedOf();
      const [jobs, other] = await Promise.all([retry(id), collect()]);
      expect(jobs.length + (other.attemptId === null ? 0 : 1)).to.equal(1);
    });
  });
});
