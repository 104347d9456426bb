import { formatsFor, sentence } from '../../api/dashboard/format.ts';
import {
  checkInWords,
  stateInWords,
  type Table,
  tablesOf,
  titleOfMonth,
} from '../../api/dashboard/statements/tables.ts';
import type { SignedStatement } from '../../api/statements/get-statement.ts';
import { count, inLines } from '../reconcile/print-format.ts';
import { drawTable } from '../reconcile/print-tables.ts';

export interface Drawn {
  name: string;
  /** By their slots. */
  providers: Record<string, string>;
  statement: SignedStatement;
}

/** What the page of the dashboard shows, for a terminal. */
export function printed({ name, providers, statement }: Drawn): string {
  const { month, mode, tenant_id: tenantId, time_zone: timeZone, sha256 } = statement;
  const title = `Statement of ${titleOfMonth(month)} · ${inLines(name).join(' ')} · ${mode} mode`;
  const tables = tablesOf(statement, (slot) => sentence(providers[slot] ?? slot));
  return [
    `${title}\n${'═'.repeat(title.length)}\nTenant ${tenantId}, in ${timeZone}`,
    `${stateInWords(statement, formatsFor(timeZone).time)}\n${checkInWords(statement)}`,
    ...tables.map(drawn),
    `SHA-256 of the CSV file: ${sha256}`,
  ].join('\n\n');
}

function drawn({ title, empty, columns, rows }: Table): string {
  if (rows.length === 0) return `${title}\n${empty}`;
  const blanks = Array<string>(columns.length - 2).fill('');
  const lines = rows.map(({ cells: [first, ...rest], isTotal }) => {
    const texts = rest.map(({ text }) => text);
    return [first!.text, ...(isTotal ? blanks : []), ...texts];
  });
  const texts = columns.filter(({ isNumber }) => !isNumber).length;
  return `${title}\n${drawTable(
    columns.map(({ title }) => title),
    lines,
    texts,
  )}`;
}

export function endInWords(
  month: string,
  { count: many, wrong, complete }: { count: number; wrong: number; complete: boolean },
): string {
  const drawnUp = `${count(many, 'statement')} of ${titleOfMonth(month)}`;
  if (!complete) return `Not complete: ${drawnUp}, and not those after them. Run it again.`;
  if (wrong > 0)
    return `${wrong} of ${drawnUp} ${wrong === 1 ? 'does' : 'do'} not add up. See "The journal is wrong" in config/runbook.md.`;
  return many === 0
    ? `No money moved up to ${titleOfMonth(month)}.`
    : `${drawnUp}: everything adds up.`;
}
