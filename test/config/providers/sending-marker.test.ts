import { expect } from 'chai';
import { createSendingMarker } from '../../../config/providers/sending-marker.ts';
import type { AttemptRow } from '../../../domain/payments/attempt/row.ts';
import { useLedgerForEach } from '../../domain/ledger.ts';
import { MINUTE } from '../../support/clock.ts';
import { statementsOf } from '../../support/statements-of.ts';

describe('Attempts that are to be sent at one moment', () => {
  const ledger = useLedgerForEach();
  let attempts: AttemptRow[];

  beforeEach(async () => {
    attempts = [];
    while (attempts.length < 4) {
      attempts.push(...(await ledger.attempts((await ledger.newCharge()).id)));
    }
    const leaseEnd = new Date(ledger.clock().getTime() + MINUTE);
    await ledger.rows('update attempts set due_at = $1', leaseEnd);
  });

  const markAll = async () => {
    const mark = createSendingMarker(ledger.db, ledger.clock);
    const untilAt = new Date(ledger.clock().getTime() + MINUTE / 2);
    return Promise.all(attempts.map((attempt) => mark(attempt, untilAt)));
  };
  const statuses = async () =>
    (await ledger.rows('select status from attempts order by id')).map(({ status }) => status);

  it('are marked in one statement', async () => {
    const statements = await statementsOf({ context: ledger }, async () =>
      expect(await markAll()).to.deep.equal([true, true, true, true]),
    );
    expect(statements).to.have.length(1);
    expect(await statuses()).to.deep.equal(Array(4).fill('sending'));
  });

  it('are not marked where the charge was cancelled, or the claim is lost or ends too soon', async () => {
    const [cancelled, lost, late] = attempts;
    await ledger.rows(
      'update charges set cancel_requested_at = now() where id = $1',
      cancelled!.charge_id,
    );
    await ledger.rows('update attempts set tries = tries + 1 where id = $1', lost!.id);
    await ledger.rows('update attempts set due_at = $2 where id = $1', late!.id, ledger.clock());
    expect(await markAll()).to.deep.equal([false, false, false, true]);
    expect(await statuses()).to.deep.equal(['queued', 'queued', 'queued', 'sending']);
  });

  it('wait for no charge that somebody else has locked', async () => {
    const [first, ...others] = attempts;
    const untilAt = new Date(ledger.clock().getTime() + MINUTE / 2);
    const mark = createSendingMarker(ledger.db, ledger.clock);
    let waiting: Promise<boolean> | undefined;
    await ledger.tx(async ({ sql }) => {
      await sql.query('select 1 from charges where id = $1 for update', [first!.charge_id]);
      waiting = mark(first!, untilAt);
      const marked = await Promise.all(others.map((attempt) => mark(attempt, untilAt)));
      expect(marked).to.deep.equal([true, true, true]);
    });
    expect(await waiting).to.equal(true);
  });
});
