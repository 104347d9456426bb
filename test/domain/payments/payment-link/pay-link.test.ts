import { expect } from 'chai';
import { recordAttempt } from '../../../../domain/payments/facts/record-attempt.ts';
import { createPaymentLink } from '../../../../domain/payments/payment-link/create.ts';
import { disableLink } from '../../../../domain/payments/payment-link/disable-link.ts';
import { expireLinks } from '../../../../domain/payments/payment-link/expire-links.ts';
import { openCharge } from '../../../../domain/payments/payment-link/open-charge.ts';
import type { PaymentLinkRow } from '../../../../domain/payments/payment-link/row.ts';
import type { Tx } from '../../../../domain/shared/tx.ts';
import { DAY } from '../../../support/clock.ts';
import { withoutWaiting } from '../../../support/contention.ts';
import { writingNothing } from '../../../support/row-counts.ts';
import { until } from '../../../support/until.ts';
import { LIFETIME_MS, useLedger } from '../../ledger.ts';
import { accepted, declined, paid, recordNotice, send } from '../../notices.ts';

describe('A payment link, written to the database', () => {
  const ledger = useLedger();
  let actor: { tenantId: string; mode: 'test'; subjectId: string; memberId: null };
  before(async () => {
    const [tenant] = await ledger.rows('select id from tenants');
    actor = { tenantId: tenant.id, mode: 'test', subjectId: 'key_test', memberId: null };
  });

  const newLink = async (): Promise<PaymentLinkRow> => {
    const wanted = {
      ...{ amountKobo: 500_000, description: 'Rice', provider: 'auto' as const },
      ...{ customerName: null, customerEmail: null, customerPhone: null, expiresInDays: 7 },
    };
    return (await ledger.inTx((tx) => createPaymentLink(tx, actor, wanted)))!;
  };
  const linkOf = async ({ id }: { id: string }): Promise<PaymentLinkRow> =>
    (await ledger.rows('select * from payment_links where id = $1', id))[0];
  const collectNow = (link: PaymentLinkRow) =>
    ledger.inTx((tx) =>
      openCharge(tx, link, { email: 'ada@example.com', name: null, phone: null }, LIFETIME_MS),
    );
  const openOf = (link: PaymentLinkRow) =>
    ledger.rows(
      `select id from charges where payment_link_id = $1 and status in ('initiated', 'pending')`,
      link.id,
    );

  /** Asks in the middle of a transaction, for which the request waits. */
  const whilePaying = async <Asked>(
    begin: (tx: Tx) => Promise<unknown>,
    ask: () => Promise<Asked>,
    end: (tx: Tx) => Promise<unknown> = async () => {},
  ): Promise<Asked> => {
    const { asked } = await ledger.inTx(async (tx) => {
      await begin(tx);
      const asked = ask();
      await until('a statement that waits', async () => {
        const waiting = await ledger.rows(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
      await end(tx);
      return { asked };
    });
    return asked;
  };

  async function opened(link: PaymentLinkRow) {
    const { id, attemptId } = await collectNow(link);
    await send(ledger, attemptId!);
    await recordNotice(ledger, attemptId!, accepted);
    const [attempt] = await ledger.attempts(id);
    return { id, attempt: attempt!, pay: () => recordNotice(ledger, attempt!.id, paid(attempt!)) };
  }

  it('is paid by its charge that succeeds; recorded again, nothing changes', async () => {
    const link = await newLink();
    const charge = await opened(link);
    await charge.pay();
    expect(await linkOf(link)).to.include({ status: 'paid', transaction_id: charge.id });
    await writingNothing({ context: ledger }, charge.pay);
    expect((await ledger.charge(charge.id)).review).to.deep.equal([]);
  });

  it('is paid by a payment that comes after it has ended', async () => {
    const [disabled, expired] = [await newLink(), await newLink()];
    const charges = [await opened(disabled), await opened(expired)];
    await ledger.inTx((tx) => disableLink(tx, actor, disabled.id));
    await ledger.rows(`update payment_links set status = 'expired' where id = $1`, expired.id);
    for (const { pay } of charges) await pay();
    expect(await linkOf(disabled)).to.include({ status: 'paid', transaction_id: charges[0]!.id });
    expect(await linkOf(expired)).to.include({ status: 'paid', transaction_id: charges[1]!.id });
  });

  for (const isLate of [true, false])
    it(`stays paid by the first payment: the ${isLate ? 'late payment of an earlier' : 'payment of a later'} charge opens a review`, async () => {
      const link = await newLink();
      const early = await opened(link);
      await recordNotice(ledger, early.attempt.id, declined);
      const charges = [early, await opened(link)] as const;
      const [payer, other] = isLate ? charges.toReversed() : charges;
      for (const { pay } of [payer!, other!]) await pay();
      expect(await linkOf(link)).to.include({ status: 'paid', transaction_id: payer!.id });
      expect(await ledger.charge(other!.id)).to.deep.include({
        ...{ status: 'succeeded', review: ['link_paid_before'] },
      });
      expect((await ledger.charge(payer!.id)).review).to.deep.equal([]);
      const told = (await ledger.timeline(other!.id)).slice(-2);
      expect(told).to.deep.equal(['charge.link_paid_before', 'charge.succeeded']);
      for (const { id } of charges) expect(await ledger.events(id)).to.include('charge.succeeded');
    });

  it('opens another charge when its charge has failed, and only then', async () => {
    const link = await newLink();
    const { attempt } = await opened(link);
    expect(await writingNothing({ context: ledger }, () => collectNow(link))).to.include({
      answer: null,
      isConnected: true,
    });
    await recordNotice(ledger, attempt.id, declined);
    expect((await collectNow(link)).attemptId).not.to.equal(null);
    expect(await openOf(link)).to.have.length(1);
  });

  it('opens no charge while it is being paid: the request waits and finds it paid', async () => {
    const link = await newLink();
    const { attempt } = await opened(link);
    const asked = await whilePaying(
      (tx) => recordAttempt(tx, attempt.id, paid(attempt)),
      () => collectNow(link),
    );
    expect(asked).to.include({ tenantId: null, attemptId: null });
    expect(await openOf(link)).to.deep.equal([]);
  });

  it('stays paid where it would expire at the moment of its payment, for which nobody waits', async () => {
    const link = await newLink();
    const { attempt } = await opened(link);
    const now = link.expires_at;
    await ledger.inTx(async (tx) => {
      await recordAttempt(tx, attempt.id, paid(attempt));
      await withoutWaiting({ context: ledger }, (sql) => expireLinks({ sql, now }, 99));
    });
    expect(await linkOf(link)).to.include({ status: 'paid' });
  });

  it('is locked before its charge, so that a payment never deadlocks with a request', async () => {
    const link = await newLink();
    const { attempt } = await opened(link);
    const part = paid(attempt, { amountKobo: 1_000, providerPaymentId: 'a-part' });
    const asked = await whilePaying(
      async (tx) => {
        await tx.sql.query(`set local lock_timeout = '500ms'`);
        await recordAttempt(tx, attempt.id, part);
      },
      () => collectNow(link),
      (tx) => recordAttempt(tx, attempt.id, paid(attempt)),
    );
    expect(asked.attemptId).to.equal(null);
    expect((await linkOf(link)).status).to.equal('paid');
  });

  it('never ends paid with an open charge when payments, failures and requests come at once', async () => {
    for (let round = 0; round < 15; round++) {
      const link = await newLink();
      const { attempt, pay } = await opened(link);
      await Promise.all([
        pay(),
        collectNow(link),
        collectNow(link),
        collectNow(link),
        recordNotice(ledger, attempt.id, declined),
      ]);
      expect((await linkOf(link)).status).to.equal('paid');
      const early = await openOf(link);
      // Declined first, and asked for before the money was recorded: the one case in which both are
      // right.
      if (early.length > 0)
        expect((await ledger.charge(attempt.charge_id)).recovered).to.equal(true);
    }
  });

  it('expires with others in bounded batches, the earliest first, each once', async () => {
    await ledger.rows(`update payment_links set status = 'disabled' where status = 'active'`);
    const links: PaymentLinkRow[] = [];
    for (let made = 0; made < 5; made++) links.push(await newLink());
    ledger.clock.advance(7 * DAY);
    const later = await newLink();
    const run = (limit: number) => expireLinks({ sql: ledger.db, now: ledger.clock() }, limit);
    expect(await run(2)).to.equal(2);
    expect(await Promise.all(links.map(async (link) => (await linkOf(link)).status))).to.deep.equal(
      [...['expired', 'expired'], ...['active', 'active', 'active']],
    );
    const counts = await Promise.all([run(2), run(2), run(2)]);
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(3);
    expect(await run(2)).to.equal(0);
    expect((await linkOf(later)).status).to.equal('active');
  });
});
