import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { stateDiagram, withDiagrams } from '../../scripts/diagrams.ts';

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

  it('in the README show the tables: run `npm run diagrams` after changing one', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    expect(readme).to.include('initiated --> pending').and.include('sending --> open');
    expect(readme).to.equal(withDiagrams(readme));
  });
});
