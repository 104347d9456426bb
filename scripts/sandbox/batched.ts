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
 * twice as long.
 */
export function createBatched(sql: Database, now: () => Date, spacingMs: number): Batched {
  return {
    findCaller: createBatcher((queries) => findCallers(sql, now(), queries), spacingMs),
    openPage: createBatcher((pages) => openPages(sql, now(), pages), 2 * spacingMs),
    findMeantBy: createBatcher((references) => findMeantPages(sql, references), 2 * spacingMs),
    changePage: createBatcher((changes) => changePages(sql, now(), changes), spacingMs),
  };
}
