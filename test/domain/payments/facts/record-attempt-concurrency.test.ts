import { expect } from 'chai';
import { expireWhenAnswered } from '../../../../domain/payments/facts/expire-charge.ts';
import { until } from '../../../support/until.ts';
import { LIFETIME_MS, useLedger } from '../../ledger.ts';
import {
  absent,
  accepted,
  declined,
  linkLost,
  paid,
  recordNotice,
  send,
  unpaid,
} from '../../notices.ts';

const ROUNDS = 6;

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
    for (let round = 0; round < ROUNDS; round++) {
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
      const statuses = (
        await ledger.rows('select status from captures where charge_id = $1', id)
      ).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal(['applied', 'duplicate', 'duplicate', 'duplicate']);
      expect((await ledger.charge(id)).status).to.equal('succeeded');
      expect(
        await ledger.rows(
          `select 1 from events where subject_id = $1 and type = 'charge.succeeded'`,
          id,
        ),
      ).to.have.length(1);
    }
  });

  it('open one replacement for a lost link', async () => {
    const { id, attemptId } = await ledger.newCharge();
    await send(ledger, attemptId);
    await Promise.all(Array.from({ length: 20 }, () => recordNotice(ledger, attemptId, linkLost)));
    expect((await ledger.attempts(id)).map(({ status }) => status)).to.deep.equal([
      'lost',
      'queued',
    ]);
  });

  it('do not expire the charge while its payment is being sent', async () => {
    const { id, attemptId } = await ledger.newCharge();
    ledger.clock.advance(LIFETIME_MS);
    const expiry = await ledger.db.transaction(async (sql) => {
      await sql.query('select 1 from charges where id = $1 for share', [id]);
      await sql.query(`update attempts set status = 'sending', sent_at = $2 where id = $1`, [
        attemptId,
        ledger.clock(),
      ]);
      const asked = ledger.tx((tx) => expireWhenAnswered(tx, id));
      await until(
        'the expiry waiting for the charge',
        async () => (await ledger.rows(WAITING)).length > 0,
      );
      return { asked };
    });
    await expiry.asked;
    expect((await ledger.charge(id)).status).to.equal('initiated');
    await recordNotice(ledger, attemptId, absent);
    expect((await ledger.charge(id)).status).to.equal('failed');
  });

  it('publish one event when each of them fails the charge', async () => {
    const id = await withFourAttempts();
    const attempts = await ledger.attempts(id);
    await Promise.all(
      attempts.flatMap((attempt) =>
        Array.from({ length: 5 }, () => recordNotice(ledger, attempt.id, declined)),
      ),
    );
    expect((await ledger.charge(id)).status).to.equal('failed');
    expect(await ledger.rows('select 1 from events where subject_id = $1', id)).to.have.length(1);
  });
});

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
