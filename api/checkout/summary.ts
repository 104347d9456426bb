import { formatNaira } from '../../domain/shared/money.ts';
import type { Mode } from '../../domain/shared/reader.ts';

type Payable = { mode: Mode; amount_kobo: number; description: string | null };

export interface Merchant {
  merchant: string;
  supportEmail: string | null;
  supportPhone: string | null;
  logoUrl: string | null;
}

/** Every view for payers shows it alike. */
export function summaryOf(
  { mode, amount_kobo: amountKobo, description }: Payable,
  { merchant, supportEmail, supportPhone, logoUrl }: Merchant,
) {
  return {
    mode,
    merchant,
    initial: initialOf(merchant),
    supportEmail,
    supportPhone,
    logoUrl,
    amount: formatNaira(amountKobo),
    description,
  };
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first letter with its marks, of which some scripts have several. */
function initialOf(name: string): string {
  const [first] = letters.segment(name.trim());
  return (first?.segment ?? '').slice(0, MOST_UNITS).toUpperCase();
}

/** Longer than any letter or emoji of ordinary texts. */
const MOST_UNITS = 16;
