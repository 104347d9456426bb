import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { lifecyclesPage, stateDiagram, withDiagrams } from '../../scripts/diagrams.ts';

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
    const text = await readFile(lifecyclesPage, 'utf8');
    expect(text).to.include('initiated --> pending').and.include('sending --> open');
    expect(text).to.equal(withDiagrams(text));
  });
});
