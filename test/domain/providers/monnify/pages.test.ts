import { expect } from 'chai';
import { pageOf } from '../../../../domain/providers/monnify/pages.ts';
import { errorOf, type Reply } from '../calls.ts';
import { clientWith, no, ok, options, springPage } from './examples.ts';

const list = { stage: 'list', path: '/things', query: { from: '7' } };
const page = (cursor: string | null, ...replies: Reply[]) =>
  pageOf(clientWith(...replies).client, list, cursor, options);

describe('A list of Monnify', () => {
  it('is read page by page with a cursor, until a page is the last or brings nothing', async () => {
    const { client, requests } = clientWith([
      200,
      springPage([{ transactionReference: 'b' }], false),
    ]);
    expect(await pageOf(client, list, '3:a', options)).to.deep.equal({
      rows: [{ transactionReference: 'b' }],
      next: '4:b',
    });
    expect(requests).to.deep.equal(['GET /things?from=7&page=3&size=100']);
    expect((await page(null, [200, springPage([{}], null)])).next).to.equal('1:{}');
    expect((await page('1:{}', [200, springPage([{}], null)])).next).to.equal(null);
    expect((await page('1:a', [200, springPage([{}], true)])).next).to.equal(null);
    for (const last of [null, 'no', true])
      expect(await page('1:a', [200, springPage([], last)])).to.deep.equal({
        rows: [],
        next: null,
      });
    expect((await errorOf(page('1:{}', [200, springPage([{}], false)]))).kind).to.equal('unknown');
  });

  it('is an error, not empty, where the answer holds no list', async () => {
    const replies: [reply: Reply, kind: string][] = [
      [[403, no('Forbidden')], 'refused'],
      [[404, no('Settlement not found')], 'refused'],
      [[200, ok({ last: true })], 'unknown'],
      [[200, ok(null)], 'unknown'],
      [[200, springPage(['x'])], 'unknown'],
      [[200, springPage([[]])], 'unknown'],
    ];
    for (const [reply, kind] of replies)
      expect(await errorOf(page(null, reply)), JSON.stringify(reply)).to.include({
        kind,
        stage: 'list',
      });
  });
});
