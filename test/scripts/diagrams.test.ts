import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { pagesWithDiagrams, stateDiagram, withDiagrams } from '../../scripts/diagrams.ts';

describe('The diagrams', () => {
  it('show every move of a table, causes of one arrow together', () => {
    expect(
      stateDiagram({ a: { go: 'b', run: 'b', stop: 'c' }, b: {}, c: {} }, 'a').split('\n'),
    ).to.deep.equal([
      '```mermaid',
      'stateDiagram-v2',
      '  [*] --> a',
      '  a --> b: go, run',
      '  a --> c: stop',
      '```',
    ]);
  });

  it('show the tables as they are: run `npm run diagrams` after changing one', async () => {
    const pages = pagesWithDiagrams.map((name) => new URL(`../../${name}`, import.meta.url));
    const texts = await Promise.all(pages.map((page) => readFile(page, 'utf8')));
    expect(texts.join()).to.include('initiated --> pending').and.include('sending --> open');
    for (const text of texts) expect(text).to.equal(withDiagrams(text));
  });
});
