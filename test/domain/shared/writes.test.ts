import { expect } from 'chai';
import { rowsWrite, type Sql } from '../../../domain/shared/sql.ts';
import { collectWrites } from '../../../domain/shared/writes.ts';

describe('Writes of a transaction', () => {
  const sent: { text: string; values: readonly unknown[] }[] = [];
  let written: Record<string, string[]> = {};
  const sql: Sql = {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      sent.push({ text, values });
      return [written] as Row[];
    },
  };
  beforeEach(() => {
    sent.length = 0;
    written = {};
  });

  const charge = rowsWrite(
    'charge',
    { key: 'text', fee: 'bigint' },
    'update charges set fee = row.fee from :rows where id = row.key',
  );
  const event = rowsWrite('event', { key: 'text' }, 'insert into events select key from :rows');
  const evidence = rowsWrite(
    'evidence',
    { key: 'text' },
    'insert into evidence select key from :rows',
    { ignoresRepeats: true },
  );

  it('are one statement when they follow each other, with the rows of a kind in key order', async () => {
    const { write, flush } = collectWrites(sql);
    await write(charge({ key: 'b', fee: 2 }));
    await write(event({ key: 'e' }));
    await write(charge({ key: 'a', fee: 1 }));
    expect(sent).to.deep.equal([]);
    await flush();
    await flush();
    expect(sent).to.have.length(1);
    expect(sent[0]!.text).to.equal(
      'with charge as (update charges set fee = row.fee ' +
        'from unnest($1::text[], $2::bigint[]) as row (key, fee) where id = row.key), ' +
        'event as (insert into events select key from unnest($3::text[]) as row (key)) ' +
        'select true as written',
    );
    expect(sent[0]!.values).to.deep.equal([['a', 'b'], [1, 2], ['e']]);
  });

  it('keep their order where it matters', async () => {
    const { write, flush } = collectWrites(sql);
    const line = rowsWrite('line', { key: 'text' }, 'insert into lines select key from :rows', {
      keepsOrder: true,
    });
    await write(line({ key: 'b' }));
    await write(line({ key: 'a' }));
    await flush();
    expect(sent.map(({ values }) => values)).to.deep.equal([[['b', 'a']]]);
  });

  it('are sent before the next statement, which sees what they wrote', async () => {
    const { query, write } = collectWrites(sql);
    await write(charge({ key: 'a', fee: 1 }));
    await query('select 1');
    expect(sent.map(({ text }) => text.slice(0, 8))).to.deep.equal(['with cha', 'select 1']);
  });

  it('are two statements where two kinds may change one row, in either order', async () => {
    const { write, flush } = collectWrites(sql);
    const refund = rowsWrite('refund', { key: 'text' }, 'update charges from :rows', {
      apartFrom: 'charge',
    });
    const [one, other] = [charge({ key: 'a', fee: 1 }), refund({ key: 'r' })];
    for (const each of [one, event({ key: 'e' }), other, one]) await write(each);
    await flush();
    expect(
      sent.map(({ text }) => [...text.matchAll(/(\w+) as \(/g)].map(([, kind]) => kind)),
    ).to.deep.equal([['charge', 'event'], ['refund'], ['charge']]);
  });

  it('are two statements where both change one row', async () => {
    const { write, flush } = collectWrites(sql);
    await write(charge({ key: 'a', fee: 1 }));
    await write(charge({ key: 'a', fee: 2 }));
    await flush();
    expect(sent.map(({ values }) => values)).to.deep.equal([
      [['a'], [1]],
      [['a'], [2]],
    ]);
  });

  it('of one row are one where each changes other columns, and two where they change the same', async () => {
    const { write, flush } = collectWrites(sql);
    const attempt = rowsWrite(
      'attempt',
      { key: 'text', status: 'text', due: 'timestamptz' },
      'update attempts set status = coalesce(row.status, status) from :rows where id = row.key',
      { nullLeaves: true },
    );
    await write(attempt({ key: 'a', status: 'open', due: null }));
    await write(attempt({ key: 'a', status: null, due: 'soon' }));
    await write(attempt({ key: 'a', status: null, due: 'later' }));
    await flush();
    expect(sent.map(({ values }) => values)).to.deep.equal([
      [['a'], ['open'], ['soon']],
      [['a'], [null], ['later']],
    ]);
  });

  it('are written once where a repeat adds nothing', async () => {
    const { write, flush } = collectWrites(sql);
    await write(evidence({ key: 'a' }));
    await write(evidence({ key: 'a' }));
    await flush();
    expect(sent.map(({ values }) => values)).to.deep.equal([[['a']]]);
  });

  it('fail where one of them should have written its row and did not', async () => {
    const { write, flush } = collectWrites(sql);
    const otherwise = (key: string) => () => new Error(`${key} has happened before.`);
    await write(event({ key: 'a' }, otherwise('a')));
    await write(event({ key: 'b' }, otherwise('b')));
    written = { event: ['a'] };
    const error = await flush().catch((reason: Error) => reason);
    expect(sent[0]!.text).to.match(/ select array\(select key from event\) as event$/);
    expect(error).to.have.property('message', 'b has happened before.');
  });

  it('refuse a row that lacks a value', async () => {
    const { write, flush } = collectWrites(sql);
    await write(charge({ key: 'a', fee: undefined }));
    const error = await flush().catch((reason: Error) => reason);
    expect(error).to.have.property('message', 'A row to write has no value for fee.');
  });
});
