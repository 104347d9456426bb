import { expect } from 'chai';
import { recordDispute } from '../../../../domain/payments/facts/record-dispute.ts';
import { recordListedRefunds } from '../../../../domain/payments/facts/record-listed-refunds.ts';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import { auditPayments } from '../../../../domain/settlements/payment-audit/audit.ts';
import type { AuditSpan } from '../../../../domain/settlements/payment-audit/context.ts';
import { DAY, HOUR } from '../../../support/clock.ts';
import { listedRefund } from '../../payments/refund-fixture.ts';
import { changesSince, noChanges, rowsOf } from '../settlement/table-rows.ts';
import { close, openDiscrepancies, withSettlementFixture } from '../settlement/with-fixture.ts';

describe('The audit of payments', () => {
  const { ledger, fixture, passDays, reconciled, audited, paid } = withSettlementFixture();
  const span = (days = 3): AuditSpan => {
    const now = ledger.clock().getTime();
    return { from: new Date(now - days * DAY), to: new Date(now), cursor: null, isListed: false };
  };
  const dueAttempts = async () =>
    (await ledger.rows('select id from attempts where due_at is not null')).map(({ id }) => id);
  const forget = (id: string) => {
    fixture.payments = fixture.payments.filter(({ providerPaymentId }) => providerPaymentId !== id);
  };

  it('finds nothing where both lists are alike, and ignores other business', async () => {
    await fixture.pay();
    await fixture.pay();
    const other = { providerPaymentId: 'shop-1', reference: 'ORDER-1' };
    fixture.payments.push({ ...fixture.payments[0]!, ...other });
    ledger.clock.advance(HOUR);
    expect(await fixture.audit()).to.deep.equal({ rest: null, error: null });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    const listed = await ledger.rows('select 1 from captures where listed_at is not null');
    expect(listed).to.have.length(2);
  });

  it('finds a payment that is not on record, has its attempt checked now, and resolves it once it is recorded', async () => {
    const unrecorded = await fixture.pay({ isRecorded: false });
    await ledger.rows('update attempts set due_at = null');
    ledger.clock.advance(HOUR);
    await fixture.audit();
    const [found] = await fixture.discrepancies();
    expect(found).to.include({
      ...{ kind: 'never_notified', settlement_id: null, charge_id: unrecorded.chargeId },
      ...{ amount_kobo: 500_000, difference_kobo: 0 },
    });
    expect(await dueAttempts()).to.deep.equal([unrecorded.attempt.id]);
    const before = await rowsOf(ledger);
    await fixture.audit();
    expect(await changesSince(before, ledger)).to.deep.equal(noChanges);
    await fixture.verify(unrecorded);
    await audited();
    expect((await fixture.discrepancies('resolved')).map(({ id }) => id)).to.deep.equal([
      found!.id,
    ]);
  });

  it('leaves a payment in a settlement to that settlement, and does not open again what a person closed', async () => {
    const unrecorded = await fixture.pay({ isRecorded: false });
    ledger.clock.advance(DAY);
    await fixture.audit();
    const [found] = await fixture.discrepancies();
    fixture.payOut([unrecorded]);
    await fixture.reconcile();
    await fixture.audit();
    const [same, ...more] = await fixture.discrepancies();
    expect(same).to.include({ id: found!.id, difference_kobo: -482_500 });
    expect(more).to.deep.equal([]);
    await close(ledger, found!);
    await fixture.audit();
    await reconciled();
    expect((await fixture.discrepancies('closed')).map(({ id }) => id)).to.deep.equal([found!.id]);
  });

  it('finds a payment whose reference has no attempt, and leaves it to the settlement that holds it', async () => {
    const { capture } = await fixture.pay();
    const unknown = {
      ...{ ...capture, providerPaymentId: 'unknown-1', reference: 'SV-900000001-zzzzzzzz' },
      ...{ amountKobo: 80_000, feeKobo: 1_200 },
    };
    fixture.payments.push(unknown);
    ledger.clock.advance(DAY);
    await fixture.audit();
    const [found] = await fixture.discrepancies();
    expect(found).to.include({ kind: 'never_notified', charge_id: null, difference_kobo: 0 });
    fixture.payOut([unknown]);
    await fixture.reconcile();
    await fixture.audit();
    const [same] = await fixture.discrepancies();
    expect(same).to.include({ id: found!.id, difference_kobo: -78_800 });
  });

  it('counts what was asked where a row states no amount, and ignores rows that prove nothing', async () => {
    const unrecorded = await fixture.pay({ isRecorded: false });
    const { providerPaymentId, reference } = unrecorded.capture;
    const row = { providerPaymentId, reference, isPaid: true, amountKobo: null, at: null };
    const rows = [
      { ...row, providerPaymentId: null },
      { ...row, providerPaymentId: 'of-an-unknown-status', isPaid: false },
      row,
    ];
    fixture.context.provider.listPayments = async () => ({ rows, next: null });
    ledger.clock.advance(HOUR);
    await fixture.audit();
    const [found, ...more] = await fixture.discrepancies();
    expect(more).to.deep.equal([]);
    const subject = providerPaymentId;
    expect(found).to.include({ kind: 'never_notified', subject, amount_kobo: 500_000 });
  });

  it('has a payment on record checked now that its provider reversed since, until refunds and lost disputes explain it', async () => {
    const [reversed] = [await fixture.pay(), await fixture.pay()];
    fixture.payments = fixture.payments.map((payment) =>
      payment === reversed.capture ? { ...payment, isReversed: true } : payment,
    );
    const checkedByAudit = async () => {
      await ledger.rows('update attempts set due_at = null');
      ledger.clock.advance(HOUR);
      await fixture.audit();
      return dueAttempts();
    };
    const { connection_id: connectionId } = reversed.attempt;
    const { providerPaymentId } = reversed.capture;
    const goesBack = async (...[amountKobo, refund]: [number, string?]) =>
      ledger.tx((tx) =>
        refund
          ? recordListedRefunds(tx, { connectionId, providerPaymentId }, [
              listedRefund({ providerRefundId: refund, amountKobo }),
            ])
          : recordDispute(tx, connectionId, {
              ...{ providerDisputeId: 'dispute', providerPaymentId, amountKobo },
              ...{ state: 'lost', status: 'lost', raw: '"lost"' },
            }),
      );
    expect(await checkedByAudit()).to.deep.equal([reversed.attempt.id]);
    await goesBack(100_000, 'first');
    await goesBack(150_000, 'second');
    expect(await checkedByAudit()).to.deep.equal([reversed.attempt.id]);
    await goesBack(250_000);
    expect(await checkedByAudit()).to.deep.equal([]);
  });

  it('accepts a page that names a payment twice', async () => {
    await fixture.pay({ isRecorded: false });
    fixture.payments.push(fixture.payments[0]!);
    await audited(['never_notified', 0]);
  });

  it('finds a payment its provider does not know, which is not missing as well, and resolves it when it is known again', async () => {
    const payment = await fixture.pay();
    forget(payment.capture.providerPaymentId);
    await audited(['unknown_at_provider', 482_500]);
    passDays(10);
    await reconciled(['unknown_at_provider', 482_500]);
    fixture.payments.push(payment.capture);
    await fixture.audit();
    await reconciled(['missing', 482_500]);
  });

  it('resolves an unknown payment once a settlement holds it', async () => {
    const payment = await fixture.pay();
    forget(payment.capture.providerPaymentId);
    ledger.clock.advance(HOUR);
    await fixture.audit();
    passDays(1);
    fixture.payOut([payment]);
    await reconciled();
  });

  it('asks nothing about a payment that a settlement holds', async () => {
    const payment = await fixture.pay();
    forget(payment.capture.providerPaymentId);
    passDays(1);
    fixture.payOut([payment]);
    await fixture.reconcile();
    fixture.failing.set('verify', new ProviderError('unknown', 'verify', 'asked'));
    expect(await fixture.audit()).to.deep.equal({ rest: null, error: null });
  });

  it('opens nothing for a payment that a settlement takes while its provider says it has none', async () => {
    const payment = await fixture.pay();
    forget(payment.capture.providerPaymentId);
    passDays(1);
    fixture.onAnswer = async (call) => {
      if (call !== 'verify') return;
      fixture.payOut([payment]);
      await fixture.reconcile();
    };
    await audited();
  });

  it('asks about a payment that the list left out, and finds it known', async () => {
    const payment = await fixture.pay();
    fixture.context.provider.listPayments = async () => ({ rows: [], next: null });
    await audited();
    expect(await ledger.rows('select 1 from captures where listed_at is null')).to.deep.equal([]);
    expect(await fixture.charge(payment)).to.include({ status: 'succeeded' });
  });

  it('finds every unknown payment, however many there are', async function () {
    this.timeout(60_000);
    for (let n = 0; n < 53; n++) await fixture.pay();
    fixture.payments = [];
    ledger.clock.advance(HOUR);
    await fixture.audit();
    expect(await openDiscrepancies(fixture)).to.have.length(53);
  });

  it('is not delayed by a payment about which the provider does not answer', async () => {
    const [unreadable, unknown] = [await fixture.pay(), await fixture.pay()];
    fixture.payments = [];
    fixture.onAnswer = (_call, asked) => {
      if (asked === unreadable.capture.reference)
        throw new ProviderError('unknown', 'verify', 'no amount');
    };
    ledger.clock.advance(HOUR);
    const { rest, error } = await fixture.audit();
    expect(error?.kind).to.equal('unknown');
    expect(rest).to.include({ isListed: true });
    expect((await fixture.discrepancies()).map(({ reference }) => reference)).to.deep.equal([
      unknown.capture.reference,
    ]);
  });

  it('continues where its time ended, and reads no page twice', async () => {
    for (let n = 0; n < 5; n++) await fixture.pay({ isRecorded: n % 2 === 0 });
    const [lost] = fixture.payments;
    forget(lost!.providerPaymentId);
    ledger.clock.advance(HOUR);
    let left = 1;
    fixture.context.hasTime = () => left-- > 0;
    let rest: AuditSpan | null = span();
    let runs = 0;
    for (; rest !== null && runs < 20; runs++) {
      left = 1;
      ({ rest } = await auditPayments(fixture.context, rest));
    }
    expect(rest).to.equal(null);
    const read = fixture.calls.filter((call) => call.startsWith('listPayments'));
    expect(read).to.deep.equal(['listPayments null', 'listPayments 2']);
    expect(await openDiscrepancies(fixture)).to.deep.equal([
      ['never_notified', 0],
      ['never_notified', 0],
      ['unknown_at_provider', 482_500],
    ]);
  });

  it('leads to the same result concurrently with others, and with a reconciliation run', async () => {
    const [known, unrecorded, lost] = await paid({}, { isRecorded: false }, {});
    forget(lost.capture.providerPaymentId);
    fixture.payOut([known, unrecorded]);
    await Promise.all([fixture.audit(), fixture.reconcile(), fixture.audit(), fixture.reconcile()]);
    await audited(['never_notified', -482_500], ['unknown_at_provider', 482_500]);
  });

  it('keeps what it found when the provider does not answer, and continues later', async () => {
    for (let n = 0; n < 3; n++) await fixture.pay({ isRecorded: false });
    ledger.clock.advance(HOUR);
    fixture.onAnswer = (_call, cursor) => {
      if (cursor !== null) throw new ProviderError('unavailable', 'payments', 'away');
    };
    const { rest, error } = await auditPayments(fixture.context, span());
    expect(error?.kind).to.equal('unavailable');
    expect(rest).to.include({ cursor: '2', isListed: false });
    expect(await openDiscrepancies(fixture)).to.have.length(2);
    fixture.onAnswer = () => undefined;
    expect((await auditPayments(fixture.context, rest!)).rest).to.equal(null);
    expect(await openDiscrepancies(fixture)).to.have.length(3);
  });
});
