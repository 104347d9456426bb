import { postingsOf } from '../../../domain/journal/entries.ts';
import type { DashboardRequest } from '../request.ts';
import { wordsOf } from './words.ts';

/** More than any record has but one that was corrected again and again. */
const MOST = 200;

/** What the part `moved` shows: what records have moved, oldest first. */
export async function movedBy({ context, session }: DashboardRequest, sources: readonly string[]) {
  const postings = await postingsOf(context.db, session, sources, MOST);
  return postings.map((posting) => ({ ...posting, words: wordsOf(posting) }));
}
