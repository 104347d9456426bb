import { expect } from 'chai';
import { type Sql, statement } from '../../../domain/shared/sql.ts';

describe('A statement with named parameters', () => {
  const sent: [text: string, values: readonly unknown[]][] = [];
  const sql: Sql = {
    query: async (text, values = []) => {
      sent.push([text, values]);
      return [];
    },
  };

  beforeEach(() => void sent.splice(0));

  it('numbers its names in the order of their first use, and leaves casts unchanged', async () => {
    await statement('select :mode::text, :id where mode = :mode')(sql, { id: 7, mode: 'test' });
    expect(sent).to.deep.equal([['select $1::text, $2 where mode = $1', ['test', 7]]]);
  });

  it('takes null for a value, and ignores values it does not name', async () => {
    await statement('select :name')(sql, { name: null, other: 1 });
    expect(sent).to.deep.equal([['select $1', [null]]]);
  });

  it('throws for a name without a value', () => {
    expect(() => statement('select :name')(sql, { nane: 'Ada' })).to.throw('no value for :name');
    expect(sent).to.deep.equal([]);
  });
});
