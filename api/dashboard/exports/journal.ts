import { Readable } from 'node:stream';
import type { PostedLine } from '../../../domain/payments/posting/posted-lines.ts';
import { CURRENCY } from '../../../domain/shared/money.ts';
import { type Column, type Export, sendCsv, sendFile } from './csv.ts';
import { textOf } from './journal-text.ts';
import { type Journal, openJournal } from './open-journal.ts';

export const journalCsv: Export = {
  path: '/journal.csv',
  permission: 'read',
  async send(request, response) {
    const journal = await openJournal(request);
    await sendCsv(request, response, 'journal', columnsOf(journal), journal.lines);
  },
};

/** Plain text that hledger and beancount read. */
export const journalText: Export = {
  path: '/journal.txt',
  permission: 'read',
  async send(request, response) {
    const text = Readable.from(textOf(await openJournal(request)));
    await sendFile(request, response, { name: 'journal', type: 'txt' }, text);
  },
};

function columnsOf({ names, codeOf }: Journal): readonly Column<PostedLine>[] {
  return [
    ['date', (line) => line.day],
    ['type', (line) => line.type],
    ['reference', (line) => line.reference],
    ['debit_account', (line) => line.debit],
    ['debit_code', (line) => codeOf(line.debit)],
    ['credit_account', (line) => line.credit],
    ['credit_code', (line) => codeOf(line.credit)],
    ['amount_kobo', (line) => line.amount_kobo],
    ['currency', () => CURRENCY],
    ['provider', (line) => names.get(line.connection_id)!.slot],
    ['provider_account', (line) => names.get(line.connection_id)!.name],
    ['occurred_at', (line) => line.occurred_at],
    ['created_at', (line) => line.created_at],
    ['source', (line) => line.source],
    ['id', (line) => line.id],
  ];
}
