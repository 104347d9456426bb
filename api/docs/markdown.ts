import { setImmediate } from 'node:timers/promises';
import { gfm } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';
import { contentOf, type Page } from './content.ts';

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
}).use(gfm);

export interface Addresses {
  /** Of the reference on this host, as pages link to it. */
  root: string;
  /** The same for whoever reads elsewhere. */
  published: string;
}

/**
 * The list of pages for those who read by machine, as https://llmstxt.org has it. Reads page after
 * page, and lets others work between two.
 */
export async function contentsOf(pages: readonly Page[], { published }: Addresses) {
  const lines: string[] = [];
  for (const { path, title, html } of pages) {
    await setImmediate();
    const lead = contentOf(html).querySelector('.lead')?.textContent ?? '';
    lines.push(`- [${title}](${published}${path === '/' ? '/index' : path}.md): ${lead}`);
  }
  return [
    '# Payment Collection API',
    '',
    '> One HTTP API to collect payments in Nigeria through several providers.',
    '',
    '## Pages',
    '',
    ...lines,
    '',
  ].join('\n');
}

/** What a page of the reference says, as Markdown whose links lead to Markdown. */
export function markdownOf(html: string, { root, published }: Addresses): string {
  const content = contentOf(html);
  for (const link of content.querySelectorAll('a[href]')) {
    const [path, anchor] = link.getAttribute('href')!.split('#');
    if (path !== root && !path!.startsWith(`${root}/`)) continue;
    const page = path === root ? '/index' : path!.slice(root.length);
    link.setAttribute('href', `${published}${page}.md${anchor ? `#${anchor}` : ''}`);
  }
  return `${turndown.turndown(content)}\n`;
}
