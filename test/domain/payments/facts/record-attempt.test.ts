import { expect } from 'chai';
import { expireWhenAnswered } from '../../../../domain/payments/facts/expire-charge.ts';
import { SECOND } from '../../../support/clock.ts';
import { whileHeld } from '../../../support/contention.ts';
import { writingNothing } from '../../../support/row-counts.ts';
import { LIFETIME_MS, useLedger } from '../../ledger.ts';
import {
  absent,
  accepted,
  chargeWithLostLink,
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

describe('A notice about an attempt', () => {
  const ledger = useLedger(['provider_a', 'provider_b', 'provider_c']);

  describe('refused', () => {
    it('opens an attempt at the next connection in order, and the charge waits', async () => {
      const { id, attemptId } = await ledger.newCharge();
      const jobs = await recordNotice(ledger, attemptId, refused);
      const [first, second] = await ledger.attempts(id);
      expect([first, second].map((attempt) => attempt?.connection_id)).to.deep.equal(
        ledger.connections.slice(0, 2),
      );
      expect(second).to.include({ status: 'queued', slot: 'provider_b' });
      expect(second!.reference)
        .to.match(/^SV-\d+-[0-9a-z]{8}$/)
        .and.not.equal(first!.reference);
      const { id: secondId, due_at: dueAt } = second!;
      expect(jobs).to.deep.equal([
        { queue: 'charge-create', id: secondId, group: ledger.connections[1], dueAt },
      ]);
      expect((await ledger.charge(id)).status).to.equal('initiated');
    });

    it('skips a connection that is disabled', async () => {
      const { id, attemptId } = await ledger.newCharge();
      await ledger.whileDisabled(1, () => recordNotice(ledger, attemptId, refused));
      expect((await ledger.attempts(id))[1]!.slot).to.equal('provider_c');
    });
  });

  describe('declined', () => {
    it('fails the charge with the provider’s message, and stores the answer once', async () => {
      const { id, attempt } = await openCharge(ledger);
      await recordNotice(ledger, attempt.id, declined);
      expect(await ledger.charge(id)).to.include({
        ...{ status: 'failed', failure_cause: 'declined', failure_message: 'Insufficient funds' },
      });
      const lines = await ledger.rows(
        `select what from timeline_entries t join evidence e on e.charge_id = t.charge_id
           and e.sha256 = evidence_sha256 where t.charge_id = $1 order by position`,
        id,
      );
      expect(lines.map(({ what }) => what)).to.deep.equal(['attempt.declined', 'charge.failed']);
    });
  });

  describe('whose link was lost', () => {
    it('opens another attempt at the same connection at once, and keeps checking the lost one', async () => {
      const { jobs, lost, replacement } = await chargeWithLostLink(ledger);
      expect([lost.status, replacement.status]).to.deep.equal(['lost', 'queued']);
      expect(replacement.connection_id).to.equal(lost.connection_id);
      expect(replacement.due_at!.getTime()).to.be.at.most(ledger.clock().getTime());
      expect(lost.due_at!.getTime() - lost.sent_at!.getTime()).to.equal(10 * SECOND);
      expect(jobs.map((job) => [job.queue, job.id])).to.deep.equal([
        ['charge-create', replacement.id],
        ['charge-check', lost.id],
      ]);
    });
  });

  it('recorded again writes nothing', async () => {
    const { id, attempt } = await openCharge(ledger);
    const strange = verification('unknown', { status: 'half-paid' });
    const verified = [unpaid, absent, strange, declined, paid(attempt), verification('ended')];
    for (const notice of [accepted, ...verified, linkLost, refused]) {
      await recordNotice(ledger, attempt.id, notice);
      await writingNothing({ context: ledger }, () => recordNotice(ledger, attempt.id, notice));
    }
    expect((await ledger.charge(id)).review).to.deep.equal(['unknown_status']);
  });
});

describe('Concurrent transactions about one charge', () => {
  const ledger = useLedger(['provider_a', 'provider_b']);

  async function withFourAttempts(): Promise<string> {
    const { id, attemptId } = await ledger.newCharge();
    let current = attemptId;
    for (let made = 0; made < 3; made++) {
      await send(ledger, current);
      await recordNotice(ledger, current, linkLost);
      current = (await ledger.attempts(id)).at(-1)!.id;
    }
    await send(ledger, current);
    await recordNotice(ledger, current, accepted);
    return id;
  }

  const claim = (attemptId: string) =>
    ledger.rows('update attempts set tries = tries + 1 where id = $1', attemptId);
  const claimDue = () =>
    ledger.rows(
      `update attempts set tries = tries + 1
       where id = any(array(select id from attempts where due_at is not null order by due_at limit 50 for update skip locked))`,
    );

  it('do not deadlock, and apply one capture', async () => {
    for (let round = 0; round < 6; round++) {
      const id = await withFourAttempts();
      const attempts = await ledger.attempts(id);
      const work: (() => Promise<unknown>)[] = attempts.flatMap((attempt) => [
        () => recordNotice(ledger, attempt.id, unpaid),
        () => recordNotice(ledger, attempt.id, paid(attempt)),
        () => recordNotice(ledger, attempt.id, declined),
        () => recordNotice(ledger, attempt.id, paid(attempt)),
        () => claim(attempt.id),
        claimDue,
        () => ledger.tx((tx) => expireWhenAnswered(tx, id)),
      ]);
      const outcomes = await Promise.allSettled(
        work.toSorted(() => Math.random() - 0.5).map((start) => start()),
      );
      expect(outcomes.filter(({ status }) => status === 'rejected')).to.deep.equal([]);
      const statuses = (await ledger.captures(id)).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal(['applied', 'duplicate', 'duplicate', 'duplicate']);
      expect((await ledger.charge(id)).status).to.equal('succeeded');
      const succeeded = (await ledger.events(id)).filter((type) => type === 'charge.succeeded');
      expect(succeeded).to.have.length(1);
    }
  });

  it('open one replacement for a lost link', async () => {
    const { id, attemptId } = await ledger.newCharge();
    await send(ledger, attemptId);
    await Promise.all(Array.from({ length: 20 }, () => recordNotice(ledger, attemptId, linkLost)));
    const statuses = (await ledger.attempts(id)).map(({ status }) => status);
    expect(statuses).to.deep.equal(['lost', 'queued']);
  });

  it('do not expire the charge while its payment is being sent', async () => {
    const { id, attemptId } = await ledger.newCharge();
    ledger.clock.advance(LIFETIME_MS);
    const sending = `update attempts set status = 'sending', sent_at = $2 where id = $1`;
    await whileHeld(
      { context: ledger },
      async (sql) => {
        await sql.query('select 1 from charges where id = $1 for share', [id]);
        await sql.query(sending, [attemptId, ledger.clock()]);
      },
      () => [ledger.tx((tx) => expireWhenAnswered(tx, id))],
    );
    expect((await ledger.charge(id)).status).to.equal('initiated');
    await recordNotice(ledger, attemptId, absent);
    expect((await ledger.charge(id)).status).to.equal('failed');
  });

  it('publish one event when each of them fails the charge', async () => {
    const id = await withFourAttempts();
    const attempts = await ledger.attempts(id);
    const five = [...attempts, ...attempts, ...attempts, ...attempts, ...attempts];
    await Promise.all(five.map((attempt) => recordNotice(ledger, attempt.id, declined)));
    expect((await ledger.charge(id)).status).to.equal('failed');
    expect(await ledger.events(id)).to.deep.equal(['charge.failed']);
  });
});
