import { expect } from 'chai';
import { checkAttemptsNow } from '../../../../domain/payments/attempt/check-attempts-now.ts';
import type { AttemptFact } from '../../../../domain/payments/attempt/decide.ts';
import { arePaymentsLikely } from '../../../../domain/payments/attempt/watched.ts';
import { recordAttempt } from '../../../../domain/payments/facts/record-attempt.ts';
import { MINUTE } from '../../../support/clock.ts';
import { LIFETIME_MS, useLedgerForEach } from '../../ledger.ts';
import { absent, chargeWithLostLink, openCharge, paid, recordNotice } from '../../notices.ts';

describe('The checks of an attempt', () => {
  const ledger = useLedgerForEach();

  it('leave another payment likely for a quarter of an hour after it is captured', async () => {
    const { attempt } = await openCharge(ledger);
    const [connection] = await ledger.rows('select * from connections');
    const isLikely = async () =>
      (await arePaymentsLikely({ sql: ledger.db, now: ledger.clock() }, [connection]))[0];
    expect(await isLikely(), 'while it is unpaid').to.equal(true);
    await recordNotice(ledger, attempt.id, paid(attempt));
    ledger.clock.advance(14 * MINUTE);
    expect(await isLikely()).to.equal(true);
    ledger.clock.advance(MINUTE);
    expect(await isLikely()).to.equal(false);
  });

  it('include one that the payment audit asks for while an earlier answer is on its way', async () => {
    const { id, attempt } = await openCharge(ledger);
    await recordNotice(ledger, attempt.id, paid(attempt));
    const askedAt = ledger.clock();
    const { reference, connection_id: connectionId } = attempt;
    const asked = { connectionId, references: [reference], chargeIds: [id] };
    await ledger.tx((tx) => checkAttemptsNow(tx, asked));
    const late = { ...paid(attempt), askedAt } as AttemptFact;
    await ledger.tx((tx) => recordAttempt(tx, attempt.id, late));
    expect((await ledger.attempts(id))[0]!.due_at).not.to.equal(null);
    await recordNotice(ledger, attempt.id, paid(attempt));
    expect((await ledger.attempts(id))[0]!.due_at).to.equal(null);
  });

  it('end with the charge for a lost attempt whose charge is paid by another', async () => {
    const { id, lost, replacement } = await chargeWithLostLink(ledger);
    await recordNotice(ledger, replacement.id, paid(replacement));
    await recordNotice(ledger, lost.id, absent);
    expect((await ledger.attempts(id))[0]!.due_at).not.to.equal(null);
    ledger.clock.advance(LIFETIME_MS);
    await recordNotice(ledger, lost.id, absent);
    expect((await ledger.attempts(id))[0]!.due_at).to.equal(null);
  });
});
