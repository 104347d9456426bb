import type { ProviderSettlement, SettlementLine } from '../port/settlement.ts';
import { captureOf, type PaymentForm, paymentIdOf } from './payments.ts';
import { clearOr, isNaira, plainText, type Row, UnclearError } from './read.ts';

export function lineAs(form: PaymentForm, row: Row): SettlementLine {
  const named = {
    providerPaymentId: paymentIdOf(form, row),
    reference: plainText(row[form.reference]),
  };
  return lineOf(named, row.currency, () => {
    const { amountKobo, feeKobo } = captureOf(form, row);
    return { amountKobo, feeKobo };
  });
}

/** Unclear amounts are said: whether they matter depends on whose payment it is. */
export function lineOf(
  named: Pick<SettlementLine, 'providerPaymentId' | 'reference'>,
  currency: unknown,
  readAmounts: () => Pick<SettlementLine, 'amountKobo' | 'feeKobo'>,
): SettlementLine {
  const readNaira = () => {
    if (!isNaira(currency)) throw new UnclearError('a payment of a settlement is not in naira');
    return readAmounts();
  };
  const amounts = clearOr(readNaira, (unclear) => ({ amountKobo: 0, feeKobo: null, unclear }));
  return { ...named, ...amounts };
}

/** Unclear amounts matter once a settlement landed. */
export function statedAs(
  state: ProviderSettlement['state'],
  readAmounts: () => Pick<ProviderSettlement, 'amountKobo' | 'deductionsKobo'>,
): Pick<ProviderSettlement, 'state' | 'amountKobo' | 'deductionsKobo' | 'unclear'> {
  const none = { amountKobo: null, deductionsKobo: null };
  return clearOr(
    () => ({ state, ...readAmounts() }),
    (unclear) => (state === 'landed' ? { state: 'unclear', ...none, unclear } : { state, ...none }),
  );
}
