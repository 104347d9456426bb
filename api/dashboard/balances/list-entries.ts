import Type, { type Static } from 'typebox';
import { intervalOf } from '../../../domain/accounts/tenant/days.ts';
import { signOf } from '../../../domain/journal/balances.ts';
import { accounts } from '../../../domain/journal/entities/posting.ts';
import { entryView, listSourcedEntries } from '../../../domain/payments/posting/list-entries.ts';
import { referenceOf } from '../../../domain/shared/ids.ts';
import type { Reader } from '../../../domain/shared/reader.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import {
  balanceTransaction,
  balanceTransactionsQuery,
} from '../../balance-transactions/schemas.ts';
import { listRoute } from '../../http/cursor.ts';
import { daysOf } from '../../http/days.ts';
import * as s from '../../http/schema.ts';
import { wordsOf } from './words.ts';

export const entry = s.object('Entry', 'A posting, as one of its accounts sees it.', {
  ...balanceTransaction.properties,
  words: s.string('What moved, in plain words.'),
  reference: s.nullable(s.reference()),
});

export const entriesQuery = s.query({
  ...balanceTransactionsQuery.properties,
  account: Type.Optional(s.choice('Account', accounts)),
});

/** Only the dashboard calls it: the postings behind one figure of a balance. */
export const listEntries = listRoute({
  path: '/balances/transactions',
  operationId: 'listEntries',
  summary: 'List the postings of an account, newest first',
  credential: 'read',
  query: entriesQuery,
  answer: s.listOf('EntryList', entry, 'A page of postings.'),
  async list({ context, query }, caller, page) {
    return context.read(async (db) => {
      const wanted = await wantedBy(db, caller, query);
      const entries = await listSourcedEntries(db, caller, { ...wanted, ...page });
      return entries.map((row) => ({
        ...entryView(row),
        amount_kobo: signOf(wanted.account) * row.amount_kobo,
        words: wordsOf(row),
        reference: row.charge ? referenceOf(row.charge.number) : null,
      }));
    });
  },
});

/** Throws `validation_failed` when `from` is after `to`. */
export async function wantedBy(db: Sql, { tenantId }: Reader, query: Static<typeof entriesQuery>) {
  const { account = 'at_provider', type, provider: slot } = query;
  return { account, type, slot, posted: await intervalOf(db, tenantId, daysOf(query)) };
}
