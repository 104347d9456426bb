import { setImmediate } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { contentOf, type Page } from './content.ts';

/** A section of a page that has what was looked for. */
export interface Hit {
  /** Of the page and the section, below the root of the reference. */
  path: string;
  page: string;
  heading: string;
  /** The text where the first word was found. */
  excerpt: string;
}

type Section = Record<'page' | 'heading' | 'text', string>;

const MOST_SHOWN = 20;
const MOST_ASKED = 200;
/** Each costs a walk through the index: a hundred letters would hold up everybody's requests. */
const MOST_WORDS = 10;
const EXCERPT = 180;

const wordsOf: (text: string) => string[] = MiniSearch.getDefault('tokenize');

/** Ends of elements whose text is not one with what follows. */
const BLOCK_ENDS = /<\/(?:td|th|p|li|dt|dd|pre|h\d|summary|figcaption)>/g;

/**
 * Finds sections by the words in them, by beginnings, and by words that are nearly the same: those
 * with all words, or else with any. Reads page after page, and lets others work between two.
 */
export async function searchOf(pages: readonly Page[]): Promise<(text: string) => Hit[]> {
  const sections = new Map<string, Section>();
  for (const { path, title: page, html } of pages) {
    await setImmediate();
    const content = contentOf(html.replaceAll(BLOCK_ENDS, ' $&'));
    for (const section of content.querySelectorAll('section[id]'))
      sections.set(`${path}#${section.id}`, {
        page,
        heading: section.querySelector('h2')?.textContent.trim() ?? page,
        text: section.textContent.replaceAll(/\s+/g, ' ').trim(),
      });
  }
  const index = new MiniSearch({ fields: ['heading', 'page', 'text'] });
  await index.addAllAsync([...sections].map(([id, section]) => ({ id, ...section })));
  const tokenize = (text: string) => [...new Set(wordsOf(text))].slice(0, MOST_WORDS);
  const options = { boost: { heading: 3, page: 2 }, prefix: true, fuzzy: 0.2, tokenize };
  return (asked) => {
    const text = asked.slice(0, MOST_ASKED);
    const withAll = index.search(text, { ...options, combineWith: 'AND' });
    const found = withAll.length > 0 ? withAll : index.search(text, options);
    return found.slice(0, MOST_SHOWN).map(({ id, terms }) => {
      const { page, heading, text: whole } = sections.get(id)!;
      return { path: id, page, heading, excerpt: excerptOf(whole, terms) };
    });
  };
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const found = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const begin = Math.max(0, Math.min(...found, text.length) - EXCERPT / 3);
  const start = begin === 0 ? 0 : text.indexOf(' ', begin) + 1;
  const end = text.lastIndexOf(' ', start + EXCERPT);
  const isWhole = text.length <= start + EXCERPT;
  return `${start > 0 ? '… ' : ''}${isWhole ? text.slice(start) : `${text.slice(start, end)} …`}`;
}
