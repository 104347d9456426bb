import { expect } from 'chai';
import { readList } from '../../../../domain/providers/flutterwave/pages.ts';
import { errorOf, type Reply } from '../calls.ts';
import { bad, clientWith, good, listed } from './examples.ts';

const list = { path: '/things', query: { from: 'then' }, thing: 'refund', stage: 'list' } as const;
const read = (...replies: Reply[]) => readList(clientWith(...replies).client, list);
const ids = (...all: number[]) => all.map((id) => ({ id }));

describe('A list of Flutterwave', () => {
  it('is read to its end, each row once though new rows push it to the next page', async () => {
    const { client, requests } = clientWith(
      [200, listed(ids(3, 2), 2)],
      [200, listed(ids(2, 1), 2)],
    );
    expect(await readList(client, list)).to.deep.equal(ids(3, 2, 1));
    expect(requests).to.deep.equal([
      'GET /things?from=then&page=1',
      'GET /things?from=then&page=2',
    ]);
  });

  it('ends where nothing new comes, if the number of pages is not stated', async () => {
    const replies: Reply[] = [
      [200, good(ids(2))],
      [200, { ...good(ids(1)), meta: {} }],
      [200, good([])],
    ];
    expect(await read(...replies)).to.deep.equal(ids(2, 1));
  });

  it('is empty where Flutterwave says so', async () => {
    for (const reply of [
      [200, listed([], 0)],
      [404, bad('No refunds found')],
    ] as Reply[])
      expect(await read(reply)).to.deep.equal([]);
  });

  it('is never returned in part', async () => {
    const full = (id: number): Reply => [200, listed(ids(id), 99)];
    const broken: [replies: Reply[], kind: string, message?: string][] = [
      [[full(1), full(1)], 'unknown', 'page 2 of 99 holds nothing new'],
      [
        Array.from({ length: 50 }, (_, id) => full(id)),
        'unknown',
        'the list has more than 50 pages',
      ],
      [[full(1), [429, bad('Too many requests')]], 'limited'],
      [[full(1), [500, bad('An error occurred')]], 'unknown'],
      [[[401, bad('Authorization required')]], 'refused'],
      [[[404, bad('Resource not found')]], 'refused'],
      ...['none', {}, null, [null], [[]], [{}], [{ id: 1.5 }]].map((data): [Reply[], string] => [
        [[200, good(data)]],
        'unknown',
      ]),
    ];
    for (const [replies, kind, message] of broken) {
      const error = await errorOf(read(...replies));
      expect(error, JSON.stringify(replies[0])).to.include({ kind, stage: 'list' });
      if (message) expect(error.message).to.equal(message);
    }
  });

  it('keeps every digit of an id of 64 bits', async () => {
    const text = JSON.stringify(listed(ids(1))).replace('"id":1', '"id":18446744073709551615');
    expect(await read([200, text])).to.deep.equal([{ id: '18446744073709551615' }]);
  });
});
