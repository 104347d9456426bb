import type { Database } from '../../domain/shared/sql.ts';
import { createBatcher } from './batcher.ts';
import { type CallerQuery, findCallers } from './callers.ts';
import { findMeantPages } from './meant-pages.ts';
import { type NewPage, type Opened, openPages } from './new-pages.ts';
import { changePages, type PageChange } from './page-changes.ts';
import type { Caller, PayPage } from './records.ts';

/** What each payment asks of the database: calls of one kind at once share a statement. */
export interface Batched {
  findCaller(query: CallerQuery): Promise<Caller | undefined>;
  openPage(page: NewPage): Promise<Opened | undefined>;
  findMeantBy(reference: string): Promise<PayPage[]>;
  changePage(change: PageChange): Promise<number[] | undefined>;
}

/**
 * `spacingMs` is for what happens between a payment and its webhook; customers and links may wait
 * twice as long. Zero: each call has a statement of its own.
 */
export function createBatched(sql: Database, now: () => Date, spacingMs: number): Batched {
  const batch = spacingMs === 0 ? aloneEach : createBatcher;
  return {
    findCaller: batch((queries) => findCallers(sql, now(), queries), spacingMs),
    openPage: batch((pages) => openPages(sql, now(), pages), 2 * spacingMs),
    findMeantBy: batch((references) => findMeantPages(sql, references), 2 * spacingMs),
    changePage: batch((changes) => changePages(sql, now(), changes), spacingMs),
  };
}

function aloneEach<Item, Result>(run: (items: readonly Item[]) => Promise<Result[]>) {
  return async (item: Item): Promise<Result> => (await run([item]))[0]!;
}
