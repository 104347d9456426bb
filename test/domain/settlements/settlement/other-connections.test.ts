import { expect } from 'chai';
import { forEachTest } from '../../../support/for-each-test.ts';
import { useLedgerForEach } from '../../ledger.ts';
import { absent, paid, recordNotice, send } from '../../notices.ts';
import { openSettlementFixture } from './fixture.ts';
import { openDiscrepancies, paidOut } from './with-fixture.ts';

describe('A line of a payment through another connection', () => {
  const ledger = useLedgerForEach(['provider_a', 'provider_b']);
  const fixture = forEachTest(() => openSettlementFixture(ledger));

  const chargeElsewhere = async (providerPaymentId?: string) => {
    const { id } = await ledger.newCharge({ provider: 'provider_b' });
    const [attempt] = await ledger.attempts(id);
    await send(ledger, attempt!.id);
    const fact = providerPaymentId ? paid(attempt!, { providerPaymentId }) : absent;
    await recordNotice(ledger, attempt!.id, fact);
    return { id, reference: attempt!.reference };
  };
  const line = { amountKobo: 500_000, feeKobo: 17_500 };
  const linesOnRecord = () =>
    ledger.rows(
      `select provider_payment_id, is_foreign, charge_id, capture_id is not null as is_matched
       from settlement_lines order by provider_payment_id`,
    );

  it('is foreign, names no charge and settles none, paid or not', async () => {
    const [paidThere, unpaid] = [await chargeElsewhere('payment-1'), await chargeElsewhere()];
    await ledger.rows('update attempts set due_at = null');
    fixture.payOut([
      { ...line, providerPaymentId: 'payment-1', reference: paidThere.reference },
      { ...line, providerPaymentId: 'payment-2', reference: unpaid.reference },
    ]);
    await fixture.reconcile();
    const foreign = { is_foreign: true, charge_id: null, is_matched: false };
    expect(await linesOnRecord()).to.deep.equal([
      { provider_payment_id: 'payment-1', ...foreign },
      { provider_payment_id: 'payment-2', ...foreign },
    ]);
    expect(await ledger.charge(paidThere.id)).to.include({ status: 'succeeded', settled_at: null });
    expect(await ledger.charge(unpaid.id)).to.include({ settled_at: null });
    expect((await paidOut(fixture))[0]).to.include({ foreign_count: 2, transaction_count: 0 });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect(await ledger.rows('select id from attempts where due_at is not null')).to.deep.equal([]);
  });

  it('with the same payment id settles its own connection’s charge, and not the other one', async () => {
    const elsewhere = await chargeElsewhere('payment-1');
    const own = await fixture.pay({ providerPaymentId: 'payment-1' });
    const differing = await fixture.pay({ providerPaymentId: 'payment-2' });
    const otherOfTwo = await chargeElsewhere('payment-2');
    fixture.payOut([own, { ...line, ...differing.capture, amountKobo: 400_000 }]);
    await fixture.reconcile();
    expect(await linesOnRecord()).to.deep.equal(
      [own, differing].map(({ chargeId, capture }) => ({
        provider_payment_id: capture.providerPaymentId,
        ...{ is_foreign: false, charge_id: chargeId, is_matched: true },
      })),
    );
    for (const { chargeId } of [own, differing])
      expect(await ledger.charge(chargeId)).to.include({ status: 'settled' });
    for (const { id } of [elsewhere, otherOfTwo])
      expect(await ledger.charge(id)).to.include({ status: 'succeeded', settled_at: null });
  });
});
