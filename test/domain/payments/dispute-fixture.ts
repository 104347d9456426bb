import { recordDispute } from '../../../domain/payments/facts/record-dispute.ts';
import type { ProviderDispute } from '../../../domain/providers/port/dispute.ts';
import { forEachTest } from '../../support/for-each-test.ts';
import type { Ledger } from '../ledger.ts';
import { openCharge, paid, recordNotice } from '../notices.ts';

export function useDisputes(ledger: Ledger) {
  const charge = forEachTest(async () => {
    const { id, attempt } = await openCharge(ledger);
    await recordNotice(ledger, attempt.id, paid(attempt));
    return { id, paymentId: `pay-${attempt.reference}` };
  });
  const dispute = (
    state: ProviderDispute['state'],
    fields: Partial<ProviderDispute> = {},
  ): ProviderDispute => ({
    providerDisputeId: `dispute-of-${charge.paymentId}`,
    ...{ providerPaymentId: charge.paymentId, state, status: state, amountKobo: null },
    ...{ raw: JSON.stringify({ state, ...fields }), ...fields },
  });
  return {
    charge,
    record: (state: ProviderDispute['state'], fields?: Partial<ProviderDispute>) =>
      ledger.tx((tx) => recordDispute(tx, ledger.connections[0]!, dispute(state, fields))),
    rows: () => ledger.rows('select * from disputes where charge_id = $1 order by id', charge.id),
    statusNow: async () => (await ledger.charge(charge.id)).status,
  };
}
