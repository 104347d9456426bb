import { expect } from 'chai';
import { ProviderError } from '../../../../domain/providers/provider.ts';
import { auditPayments } from '../../../../domain/settlements/payment-audit/audit.ts';
import type { AuditSpan } from '../../../../domain/settlements/payment-audit/context.ts';
import { DAY, HOUR } from '../../../support/clock.ts';
import { changesSince, nothing, rowsOf } from '../settlement/every-row.ts';
import { close, openIn, withSettlementFixture } from '../settlement/with-fixture.ts';

describe('The audit of payments', () => {
  const opened = withSettlementFixture();
  /** Days of the past, ending now. */
  const span = (days = 3): AuditSpan => {
    const now = opened().ledger.clock().getTime();
    return { from: new Date(now - days * DAY), to: new Date(now), cursor: null, isListed: false };
  };
  const dueAttempts = async () =>
    (await opened().ledger.rows('select id from attempts where due_at is not null')).map(
      ({ id }) => id,
    );
  const forget = (id: string) => {
    const { fixture } = opened();
    fixture.payments = fixture.payments.filter(({ providerPaymentId }) => providerPaymentId !== id);
  };

  it('finds nothing where both lists are alike, and passes over other business', async () => {
    const { fixture, ledger } = opened();
    await fixture.pay();
    await fixture.pay();
    fixture.payments.push({
      ...fixture.payments[0]!,
      providerPaymentId: 'shop-1',
      reference: 'ORDER-1',
    });
    ledger.clock.advance(HOUR);
    expect(await fixture.audit()).to.deep.equal({ rest: null, error: null });
    expect(await openIn(fixture)).to.deep.equal([]);
    const listed = await ledger.rows('select 1 from captures where listed_at is not null');
    expect(listed).to.have.length(2);
  });

  it('finds a payment nobody told of, has it asked about, and resolves it once it is heard of', async () => {
    const { fixture, ledger } = opened();
    const unheard = await fixture.pay({ isHeard: false });
    await ledger.rows('update attempts set due_at = null');
    ledger.clock.advance(HOUR);
    await fixture.audit();
    const [found] = await fixture.discrepancies();
    const amounts = { amount_kobo: 500_000, difference_kobo: 0 };
    expect(found).to.include({
      kind: 'never_notified',
      settlement_id: null,
      charge_id: unheard.chargeId,
      ...amounts,
    });
    expect(await dueAttempts()).to.deep.equal([unheard.attempt.id]);
    const before = await rowsOf(ledger);
    await fixture.audit();
    expect(await changesSince(before, ledger)).to.deep.equal(nothing);
    await fixture.hear(unheard);
    await fixture.audit();
    expect(await openIn(fixture)).to.deep.equal([]);
    expect((await fixture.discrepancies('resolved')).map(({ id }) => id)).to.deep.equal([
      found!.id,
    ]);
  });

  it('leaves one that stands in a payout to that payout, opens it no second time, and nothing a person closed there', async () => {
    const { fixture, ledger } = opened();
    const unheard = await fixture.pay({ isHeard: false });
    ledger.clock.advance(DAY);
    await fixture.audit();
    const [found] = await fixture.discrepancies();
    fixture.payOut([unheard]);
    await fixture.reconcile();
    await fixture.audit();
    expect(
      (await fixture.discrepancies()).map(({ id, difference_kobo }) => [id, difference_kobo]),
    ).to.deep.equal([[found!.id, -482_500]]);
    await close(opened(), found!.id);
    await fixture.audit();
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([]);
    expect((await fixture.discrepancies('closed')).map(({ id }) => id)).to.deep.equal([found!.id]);
  });

  it('takes a page that names a payment twice', async () => {
    const { fixture, ledger } = opened();
    await fixture.pay({ isHeard: false });
    fixture.payments.push(fixture.payments[0]!);
    ledger.clock.advance(HOUR);
    await fixture.audit();
    expect(await openIn(fixture)).to.deep.equal([['never_notified', 0]]);
  });

  it('finds a payment its provider does not know any more, which is not missing besides, and resolves it when it comes back', async () => {
    const { fixture, ledger, pass } = opened();
    const taken = await fixture.pay();
    forget(taken.capture.providerPaymentId);
    ledger.clock.advance(HOUR);
    await fixture.audit();
    expect(await openIn(fixture)).to.deep.equal([['unknown_at_provider', 482_500]]);
    pass(10);
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([['unknown_at_provider', 482_500]]);
    fixture.payments.push(taken.capture);
    await fixture.audit();
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([['missing', 482_500]]);
  });

  it('finds it known after all once a payout holds it', async () => {
    const { fixture, ledger, pass } = opened();
    const taken = await fixture.pay();
    forget(taken.capture.providerPaymentId);
    ledger.clock.advance(HOUR);
    await fixture.audit();
    pass(1);
    fixture.payOut([taken]);
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([]);
  });

  it('asks about a payment that the list left out, and believes the answer', async () => {
    const { fixture, ledger } = opened();
    const taken = await fixture.pay();
    const { listPayments } = fixture.desk.provider;
    fixture.desk.provider.listPayments = async () => ({ rows: [], next: null });
    ledger.clock.advance(HOUR);
    await fixture.audit();
    expect(await openIn(fixture)).to.deep.equal([]);
    fixture.desk.provider.listPayments = listPayments;
    expect(await ledger.rows('select 1 from captures where listed_at is null')).to.deep.equal([]);
    expect(await fixture.charge(taken)).to.include({ status: 'succeeded' });
  });

  it('finds every one that is not known, however many there are', async function () {
    this.timeout(60_000);
    const { fixture, ledger } = opened();
    for (let n = 0; n < 53; n++) await fixture.pay();
    fixture.payments = [];
    ledger.clock.advance(HOUR);
    await fixture.audit();
    expect(await openIn(fixture)).to.have.length(53);
  });

  it('is not held up by one that cannot be answered', async () => {
    const { fixture, ledger } = opened();
    const [mangled, unknown] = [await fixture.pay(), await fixture.pay()];
    fixture.payments = [];
    const { verify } = fixture.desk.provider;
    fixture.desk.provider.verify = (reference, options) => {
      if (reference === mangled.capture.reference)
        throw new ProviderError('unknown', 'verify', 'no amount');
      return verify(reference, options);
    };
    ledger.clock.advance(HOUR);
    const { rest, error } = await fixture.audit();
    expect(error?.kind).to.equal('unknown');
    expect(rest).to.include({ isListed: true });
    expect((await fixture.discrepancies()).map(({ reference }) => reference)).to.deep.equal([
      unknown.capture.reference,
    ]);
  });

  it('goes on where it was cut short, and reads no page twice', async () => {
    const { fixture, ledger } = opened();
    for (let n = 0; n < 5; n++) await fixture.pay({ isHeard: n % 2 === 0 });
    const [lost] = fixture.payments;
    forget(lost!.providerPaymentId);
    ledger.clock.advance(HOUR);
    const read: (string | null)[] = [];
    const { listPayments } = fixture.desk.provider;
    fixture.desk.provider.listPayments = (query, options) => {
      read.push(query.cursor);
      return listPayments(query, options);
    };
    let left = 1;
    fixture.desk.hasTime = () => left-- > 0;
    let rest: AuditSpan | null = span();
    let rounds = 0;
    for (; rest !== null && rounds < 20; rounds++) {
      left = 1;
      ({ rest } = await auditPayments(fixture.desk, rest));
    }
    expect(rest).to.equal(null);
    expect(read).to.deep.equal([null, '2']);
    expect(await openIn(fixture)).to.deep.equal([
      ['never_notified', 0],
      ['never_notified', 0],
      ['unknown_at_provider', 482_500],
    ]);
  });

  it('comes to the same at once with others, and with a payout being reconciled', async () => {
    const { fixture, ledger } = opened();
    const [known, unheard, lost] = [
      await fixture.pay(),
      await fixture.pay({ isHeard: false }),
      await fixture.pay(),
    ];
    forget(lost.capture.providerPaymentId);
    ledger.clock.advance(DAY);
    fixture.payOut([known, unheard]);
    await Promise.all([fixture.audit(), fixture.reconcile(), fixture.audit(), fixture.reconcile()]);
    await fixture.audit();
    expect(await openIn(fixture)).to.deep.equal([
      ['never_notified', -482_500],
      ['unknown_at_provider', 482_500],
    ]);
  });

  it('keeps what it found when it breaks off, and goes on with the rest', async () => {
    const { fixture, ledger } = opened();
    for (let n = 0; n < 3; n++) await fixture.pay({ isHeard: false });
    ledger.clock.advance(HOUR);
    const { listPayments } = fixture.desk.provider;
    fixture.desk.provider.listPayments = (query, options) => {
      if (query.cursor !== null) throw new ProviderError('unavailable', 'payments', 'away');
      return listPayments(query, options);
    };
    const { rest, error } = await auditPayments(fixture.desk, span());
    expect(error?.kind).to.equal('unavailable');
    expect(rest).to.include({ cursor: '2', isListed: false });
    expect(await openIn(fixture)).to.have.length(2);
    fixture.desk.provider.listPayments = listPayments;
    expect((await auditPayments(fixture.desk, rest!)).rest).to.equal(null);
    expect(await openIn(fixture)).to.have.length(3);
  });
});
