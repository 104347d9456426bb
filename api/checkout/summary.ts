import { formatNaira } from '../../domain/shared/money.ts';
import type { Mode } from '../../domain/shared/reader.ts';

interface Payable {
  mode: Mode;
  amount_kobo: number;
  description: string | null;
}

/** Who is paid, how much and for what: the same on every view for payers. */
export function summaryOf(
  { mode, amount_kobo: amountKobo, description }: Payable,
  merchant: string,
) {
  const [initial = ''] = merchant;
  return {
    mode,
    merchant,
    initial: initial.toUpperCase(),
    amount: formatNaira(amountKobo),
    description,
  };
}
