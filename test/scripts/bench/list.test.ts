import { expect } from 'chai';
import { queriesOf } from '../../../scripts/bench/list.ts';

describe('The bench of lists', () => {
  it('asks for every filter and every pair of filters, with all their values', () => {
    const values = { status: ['a', 'b'], channel: ['c'], from: ['2'], to: ['1', '3'] };
    const queries = queriesOf(values);
    expect([...queries.keys()]).to.deep.equal([
      ...['status', 'channel', 'from', 'to', 'status+channel', 'status+from', 'status+to'],
      ...['channel+from', 'channel+to', 'from+to'],
    ]);
    expect(queries.get('status+channel')).to.deep.equal([
      { status: 'a', channel: 'c' },
      { status: 'b', channel: 'c' },
    ]);
    expect(queries.get('from+to')).to.deep.equal([{ from: '2', to: '3' }]);
  });
});
