import { expect } from 'chai';
import { pageOf, rowsOf } from '../../../../domain/providers/paystack/pages.ts';
import { errorOf, type Reply } from '../calls.ts';
import { clientWith, listed, options } from './examples.ts';

const list = { stage: 'list', path: '/things', query: { from: 'then' } };
const rows = (...replies: Reply[]) =>
  rowsOf(clientWith(...replies).client, { ...list, mostPages: 3 }, options);
const page = (cursor: string | null, ...replies: Reply[]) =>
  pageOf(clientWith(...replies).client, list, cursor, options);
const ids = (...all: number[]) => all.map((id) => ({ id }));
const uncounted = (data: object[], meta?: unknown) => ({ ...listed(data), meta });

describe('A list of Paystack', () => {
  it('is read to its end, each row once though new rows push it to the next page', async () => {
    const { client, requests } = clientWith(
      [200, listed(ids(3, 2), 2)],
      [200, listed(ids(2, 1), 2)],
    );
    const read = await rowsOf(client, { ...list, mostPages: 3 }, options);
    expect(read).to.deep.equal(ids(3, 2, 1));
    expect(requests).to.deep.equal([
      'GET /things?from=then&perPage=100&page=1',
      'GET /things?from=then&perPage=100&page=2',
    ]);
    expect(await rows([200, listed([])])).to.deep.equal([]);
  });

  it('ends where nothing new comes, if the number of pages is not stated', async () => {
    const start: Reply[] = [
      [200, uncounted(ids(3, 2))],
      [200, uncounted(ids(2, 1), null)],
    ];
    for (const last of [[], ids(2, 1)])
      expect(await rows(...start, [200, uncounted(last, {})])).to.deep.equal(ids(3, 2, 1));
    expect(await page(null, [200, uncounted(ids(1))])).to.deep.equal({ rows: ids(1), next: '2:1' });
    for (const last of [[], ids(1)])
      expect((await page('2:1', [200, uncounted(last, { pageCount: '9' })])).next).to.equal(null);
  });

  it('is read page by page with a cursor', async () => {
    expect(await page(null, [200, listed(ids(2), 2)])).to.deep.equal({ rows: ids(2), next: '2:2' });
    expect(await page('2:2', [200, listed(ids(1), 2)])).to.deep.equal({ rows: ids(1), next: null });
  });

  it('is never returned in part', async () => {
    const full = (id: number): Reply => [200, listed(ids(id), 9)];
    const broken: [replies: Reply[], kind: string][] = [
      [[full(1), full(2), full(3)], 'unknown'],
      [[full(1), full(1)], 'unknown'],
      [[full(1), [200, listed([], 9)]], 'unknown'],
      [[full(1), [429, { status: false, message: 'Rate limit exceeded!' }]], 'limited'],
      [[full(1), [500, { status: false, message: 'An error occurred' }]], 'unknown'],
      [[[401, { status: false, message: 'Invalid key' }]], 'refused'],
      [[[404, { status: false, message: 'x', code: 'settlement_not_found' }]], 'refused'],
      [[[200, { ...listed([]), status: false }]], 'unknown'],
      ...[null, {}, 'none', [7], [null], [{}], [{ id: null }], [{ id: 'x' }]].map(
        (data): [Reply[], string] => [[[200, { ...listed([]), data }]], 'unknown'],
      ),
    ];
    for (const [replies, kind] of broken) {
      expect(await errorOf(rows(...replies)), JSON.stringify(replies)).to.include({
        kind,
        stage: 'list',
      });
    }
  });

  it('keeps every digit of an id of 64 bits', async () => {
    const text = JSON.stringify(listed(ids(1))).replace('"id":1', '"id":18446744073709551615');
    expect(await rows([200, text])).to.deep.equal([{ id: '18446744073709551615' }]);
  });
});
