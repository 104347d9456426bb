import { expect } from 'chai';
import type { Sql } from '../../../domain/shared/sql.ts';
import { collectWrites } from '../../../domain/shared/writes.ts';

describe('Writes of a transaction', () => {
  const sent: { text: string; values: readonly unknown[] }[] = [];
  let found: boolean[] = [];
  const sql: Sql = {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      sent.push({ text, values });
      return [{ found }] as Row[];
    },
  };
  beforeEach(() => {
    sent.length = 0;
    found = [];
  });

  const charge = { parts: { charge: 'update charges set a = $2 where id = $1' }, values: [1, 2] };
  const event = { parts: { event: 'insert into events values ($1)' }, values: [3] };

  it('are one statement when they follow each other', async () => {
    const { write, flush } = collectWrites(sql);
    await write(charge);
    await write(event);
    expect(sent).to.deep.equal([]);
    await flush();
    await flush();
    expect(sent).to.have.length(1);
    expect(sent[0]!.text).to.match(
      /^with charge as \(.*a = \$2 where id = \$1\), event as \(.*\(\$3\)\)/,
    );
    expect(sent[0]!.values).to.deep.equal([1, 2, 3]);
  });

  it('are sent before the next statement, which sees what they wrote', async () => {
    const { query, write } = collectWrites(sql);
    await write(charge);
    await query('select 1');
    expect(sent.map(({ text }) => text.slice(0, 8))).to.deep.equal(['with cha', 'select 1']);
  });

  it('are two statements where both may change one row', async () => {
    const { write, flush } = collectWrites(sql);
    await write(charge);
    await write(charge);
    await flush();
    expect(sent).to.have.length(2);
  });

  it('fail where one of them should have written a row and did not', async () => {
    const { write, flush } = collectWrites(sql);
    await write(charge);
    await write({ ...event, otherwise: () => new Error('It has happened before.') });
    found = [false];
    const error = await flush().catch((reason: Error) => reason);
    expect(error).to.have.property('message', 'It has happened before.');
  });
});
