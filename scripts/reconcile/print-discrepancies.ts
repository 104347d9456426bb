import type { DiscrepancyRow } from '../../domain/settlements/discrepancy/row.ts';
import type { Report } from '../../domain/settlements/settlement/report.ts';
import { inLines, naira } from './print-format.ts';

/** Discrepancies a printed page lists; the API and `ops` list them all. */
const MOST_LISTED = 50;

/** The discrepancies of a connection, the largest first, and their sum, which is the difference. */
export function whatDiffers(
  { discrepancies: all, settlements, sums }: Report,
  tenantId: string,
): string[] {
  if (all.length === 0) return [];
  const listed = all.slice(0, MOST_LISTED);
  const days = new Map(settlements.map(({ id, expected_date: day }) => [id, day]));
  const rest = sums.openCount + sums.closedCount - listed.length;
  const listedKobo = listed.reduce((sum, { difference_kobo: kobo }) => sum + kobo, 0);
  const together = sums.openKobo + sums.closedKobo;
  return [
    [
      'The discrepancies that make the difference, after fees, the largest first. ' +
        'A minus: more landed than should have.',
      ...listed.map((discrepancy) => describe(discrepancy, days)),
      ...(rest > 0
        ? [
            `${amount(together - listedKobo)}  ${rest} more: npm run ops -- discrepancy list --status all --tenant ${tenantId}`,
          ]
        : []),
      `${amount(together)}  together`,
    ].join('\n'),
  ];
}

const WIDTH = 16;
const INDENT = `\n${' '.repeat(WIDTH + 2)}`;

function describe(discrepancy: DiscrepancyRow, days: ReadonlyMap<string, string | null>): string {
  const {
    id,
    kind,
    status,
    settlement_id: settlementId,
    reference,
    day,
    difference_kobo: kobo,
    detail,
    close_reason: reason,
  } = discrepancy;
  const payment = reference === null ? [] : [`payment ${reference}`];
  const where =
    settlementId === null
      ? [`${kind === 'never_notified' ? 'paid' : 'due'} ${day}`]
      : [`settlement ${settlementId} of ${days.get(settlementId) ?? day}`];
  const closed = status === 'closed' ? [`Closed: ${reason}`] : [];
  const headline = [kind.replaceAll('_', ' '), ...payment, ...where].join(', ');
  const details = [detail, ...closed].flatMap((text) => inLines(text, INDENT.length));
  return [`${amount(kobo)}  ${headline}`, ...details, id].join(INDENT);
}

function amount(kobo: number): string {
  return naira(kobo).padStart(WIDTH);
}
