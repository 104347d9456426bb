import { expect } from 'chai';
import {
  endsBefore,
  type List,
  readPageAt,
  readWhole,
} from '../../../../domain/providers/adapter/lists.ts';
import { type Row, UnclearError } from '../../../../domain/providers/adapter/read.ts';

type Page = { ids: unknown[]; hasMore: boolean | undefined };

const more = (...ids: unknown[]): Page => ({ ids, hasMore: true });
const last = (...ids: unknown[]): Page => ({ ids, hasMore: false });
const bare = (...ids: unknown[]): Page => ({ ids, hasMore: undefined });

const listOf = (pages: Page[], firstPage: 0 | 1 = 1): List => ({
  ...{ firstPage, mostPages: 3, keyOf: ({ id }) => id },
  async read(page) {
    const { ids, hasMore } = pages[page - firstPage] ?? expect.fail(`there is no page ${page}`);
    return { rows: ids.map((id) => ({ id })), hasMore };
  },
});
const idsOf = (rows: Row[]) => rows.map(({ id }) => id);
const whyNot = (read: Promise<unknown>) =>
  read.then(
    (value) => expect.fail(JSON.stringify(value)),
    (error) => (error instanceof UnclearError ? error.message : Promise.reject(error)),
  );

describe('A list that is read to its end', () => {
  const read = async (...pages: Page[]) => idsOf(await readWhole(listOf(pages)));

  it('has each row once, though new rows push it to the next page', async () => {
    expect(await read(more(3, 2), last(2, 1))).to.deep.equal([3, 2, 1]);
    const fromZero = listOf([more(1), last(0)], 0);
    expect(idsOf(await readWhole(fromZero))).to.deep.equal([1, 0]);
  });

  it('ends where nothing new comes, if its end is not stated', async () => {
    for (const end of [bare(), bare(3, 2)])
      expect(await read(bare(3, 2), end)).to.deep.equal([3, 2]);
    expect(await read(last())).to.deep.equal([]);
  });

  it('ends with the last page that is wanted', async () => {
    const pages = listOf([more(3), more(2), more(1)]);
    const rows = await readWhole(pages, (read) => read.some(({ id }) => id === 2));
    expect(idsOf(rows)).to.deep.equal([3, 2]);
  });

  it('is never returned in part', async () => {
    const nothing = 'page 2 holds nothing new, and more are stated';
    for (const end of [more(3), more()]) expect(await whyNot(read(more(3), end))).to.equal(nothing);
    for (const page of [more, bare])
      expect(await whyNot(read(page(3), page(2), page(1)))).to.equal(
        'the list has more than 3 pages',
      );
  });
});

describe('A list that is read page by page with a cursor', () => {
  const next = async (cursor: string | null, ids: unknown[], hasMore?: boolean) => {
    const pages = Array.from({ length: 3 }, (): Page => ({ ids, hasMore }));
    return (await readPageAt(listOf(pages), cursor, (rows) => rows)).next;
  };

  it('leads to the next page until the list states the last one', async () => {
    expect(await next(null, [3, 2], true)).to.equal('2:3');
    expect(await next('2:3', [2], true)).to.equal('3:2');
    expect(await next('3:2', [1], false)).to.equal(null);
    expect(await next(null, ['MNFY|1:2'], true)).to.equal('2:MNFY|1:2');
    expect(await next('2:MNFY|1:2', ['MNFY|3'], true)).to.equal('3:MNFY|3');
    expect(await next(null, [undefined], true), 'a row without a key').to.equal('2:{}');
    const pages = listOf([more(), more(7)], 0);
    expect(await readPageAt(pages, '1:9', (rows) => rows)).to.deep.equal({
      ...{ rows: [{ id: 7 }], next: '2:7' },
    });
  });

  it('ends with an empty or repeated page where the list does not state its end', async () => {
    expect(await next('2:3', [2])).to.equal('3:2');
    for (const ids of [[], [3]]) expect(await next('2:3', ids)).to.equal(null);
    const long = ['x'.repeat(300)];
    expect(await next(await next(null, long, true), long)).to.equal(null);
  });

  it('does not take a part for the whole where more pages are stated', async () => {
    for (const ids of [[], [3]])
      expect(await whyNot(next('2:3', ids, true))).to.match(/^page 2 holds nothing new/);
  });

  it('does not begin again with a cursor that is not ours', async () => {
    const cursors = ['', '0:1', '-1:1', '01:1', '1.5:1', '1e3:1', '２:1', 'next', '2', '2:'];
    for (const cursor of [...cursors, '1000000:1', '1&page=2:1'])
      expect(await whyNot(next(cursor, [1])), cursor).to.equal('the cursor is not one of ours');
  });
});

describe('A list of records ends before a payment', () => {
  const at = new Date('2026-03-02T12:00:00Z');
  const ends = (...pages: string[][]) => {
    const endsAt = endsBefore(at, ({ id }) => (id ? new Date(String(id)) : null));
    return pages.map((times) => endsAt(times.map((id) => ({ id }))));
  };

  it('by more than a day, while the newest come first', () => {
    const [new_, old, older] = ['2026-03-09', '2026-03-01T12:00:00Z', '2026-03-01T11:59:59Z'];
    expect(ends([new_!, old!], [older!])).to.deep.equal([false, true]);
    expect(ends([older!, old!], [older!]), 'not the newest first').to.deep.equal([false, false]);
    expect(ends([older!, ''], ['']), 'no time').to.deep.equal([true, true]);
    expect(ends([''], [])).to.deep.equal([false, false]);
  });
});
