import { expect } from 'chai';
import { slowerOf } from '../../../scripts/bench/soak.ts';

const kind = (text: string, meanMs: number, calls = 50) => ({ text, calls, meanMs });
const part = (...statements: ReturnType<typeof kind>[]) => ({ offered: 1_000, statements });

describe('The bench of hours of charges', () => {
  it('names the statements that take half as long again at the end', () => {
    const first = part(kind('claim', 0.2), kind('record', 0.2), kind('list', 1));
    const last = part(kind('claim', 0.29), kind('record', 0.31), kind('list', 0.5));
    expect(slowerOf(first, last)).to.deep.equal([{ text: 'record', was: 0.2, is: 0.31 }]);
  });

  it('leaves out those that came or went, or ran too rarely for a mean', () => {
    const first = part(kind('was there', 1), kind('housekeeping', 1, 9), kind('nightly', 1, 50));
    const last = part(kind('is new', 9), kind('housekeeping', 9, 50), kind('nightly', 9, 9));
    expect(slowerOf(first, last)).to.deep.equal([]);
  });
});
