import { expect } from 'chai';
import { cursorAfter, positionAt } from '../../../domain/providers/cursor.ts';
import { thrownBy } from './calls.ts';

describe('The cursor of a list that is read page by page', () => {
  const next = (cursor: string | null, first: string | undefined, hasMore?: boolean) =>
    cursorAfter(positionAt(cursor, 1, 'list'), { first, hasMore }, 'list');

  it('leads to the next page until the list states the last one', () => {
    expect(next(null, '3', true)).to.equal('2:3');
    expect(next('2:3', '2', true)).to.equal('3:2');
    expect(next('3:2', '1', false)).to.equal(null);
    expect(next(null, 'MNFY|1:2', true)).to.equal('2:MNFY|1:2');
    expect(next('2:MNFY|1:2', 'MNFY|3', true)).to.equal('3:MNFY|3');
  });

  it('ends with an empty or repeated page where the list does not state its end', () => {
    expect(next('2:3', '2')).to.equal('3:2');
    expect(next('2:3', undefined)).to.equal(null);
    expect(next('2:3', '3')).to.equal(null);
    const long = 'x'.repeat(300);
    expect(next(next(null, long, true), long)).to.equal(null);
  });

  it('does not take a part for the whole where more pages are stated', () => {
    for (const first of [undefined, '3'])
      expect(thrownBy(() => next('2:3', first, true))).to.include({
        ...{ kind: 'unknown', stage: 'list' },
        message: 'page 2 holds nothing new, and more are stated',
      });
  });

  it('begins at the first page, and not again with a cursor that is not ours', () => {
    expect(positionAt(null, 0, 'list')).to.deep.equal({ page: 0, previousFirst: undefined });
    const cursors = ['', '0:1', '-1:1', '01:1', '1.5:1', '1e3:1', '２:1', 'next', '2', '2:'];
    for (const cursor of [...cursors, '1000000:1', '1&page=2:1'])
      expect(thrownBy(() => positionAt(cursor, 1, 'list')).kind, cursor).to.equal('unknown');
  });
});
