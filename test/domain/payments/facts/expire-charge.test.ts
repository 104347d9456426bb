import { expect } from 'chai';
import { endedCharges, FIRST_END } from '../../../../domain/payments/attempt/ended-charges.ts';
import { expireWhenAnswered } from '../../../../domain/payments/facts/expire-charge.ts';
import { HOUR, MINUTE } from '../../../support/clock.ts';
import { LIFETIME_MS, useLedgerForEach } from '../../ledger.ts';
import { absent, linkLost, openCharge, paid, recordNotice, send, unpaid } from '../../notices.ts';

describe('Expiry of a charge', () => {
  const ledger = useLedgerForEach();

  const expire = (id: string) => ledger.tx((tx) => expireWhenAnswered(tx, id));
  const statusOf = async (id: string) => (await ledger.charge(id)).status;
  const overdue = async () =>
    (await endedCharges({ sql: ledger.db, now: ledger.clock() }, 'expires_at', FIRST_END, 10)).ids;

  it('does not happen before its end', async () => {
    const { id, attempt } = await openCharge(ledger);
    ledger.clock.advance(LIFETIME_MS - MINUTE);
    await recordNotice(ledger, attempt.id, unpaid);
    await expire(id);
    expect(await statusOf(id)).to.equal('pending');
  });

  it('does not happen by silence: an answer from before the end does not count', async () => {
    const { id, attempt } = await openCharge(ledger);
    ledger.clock.advance(LIFETIME_MS - MINUTE);
    await recordNotice(ledger, attempt.id, unpaid);
    ledger.clock.advance(90 * 24 * HOUR);
    expect(await overdue()).to.deep.equal([]);
    await expire(id);
    expect(await statusOf(id)).to.equal('pending');
  });

  it('happens with the first answer after the end', async () => {
    const { id, attempt } = await openCharge(ledger);
    ledger.clock.advance(LIFETIME_MS);
    await recordNotice(ledger, attempt.id, unpaid);
    expect(await ledger.charge(id)).to.include({
      status: 'failed',
      failure_cause: 'expired',
      failure_message: 'The payment was not made in time.',
    });
  });

  it('waits for an answer about every attempt that may have been sent', async () => {
    const { id, attemptId } = await ledger.newCharge();
    await send(ledger, attemptId);
    await recordNotice(ledger, attemptId, linkLost);
    const [, replacement] = await ledger.attempts(id);
    await send(ledger, replacement!.id);
    ledger.clock.advance(LIFETIME_MS);
    await recordNotice(ledger, attemptId, absent);
    expect(await statusOf(id)).to.equal('initiated');
    await recordNotice(ledger, replacement!.id, absent);
    expect(await statusOf(id)).to.equal('failed');
  });

  it('needs no answer about an attempt that was never sent', async () => {
    const { id } = await ledger.newCharge();
    ledger.clock.advance(LIFETIME_MS);
    expect(await overdue()).to.deep.equal([id]);
    await expire(id);
    expect(await statusOf(id)).to.equal('failed');
  });

  it('gives way to a payment that the last answer reports', async () => {
    const { id, attempt } = await openCharge(ledger);
    ledger.clock.advance(LIFETIME_MS + HOUR);
    await recordNotice(ledger, attempt.id, paid(attempt));
    expect(await ledger.charge(id)).to.include({ status: 'succeeded', recovered: false });
  });

  it('never happens to an underpaid charge: a person decides', async () => {
    const { id, attempt } = await openCharge(ledger);
    await recordNotice(ledger, attempt.id, paid(attempt, { amountKobo: 1_000 }));
    ledger.clock.advance(LIFETIME_MS + HOUR);
    await recordNotice(ledger, attempt.id, paid(attempt, { amountKobo: 1_000 }));
    await expire(id);
    expect(await overdue()).to.deep.equal([]);
    expect(await ledger.charge(id)).to.deep.include({ status: 'pending', review: ['underpaid'] });
  });
});
