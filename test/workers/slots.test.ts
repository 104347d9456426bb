import { expect } from 'chai';
import { createSlots, type RowEnd, type Slots } from '../../workers/slots.ts';

const LIMITS = { concurrency: 30, maxPerGroup: 10, maxPerFailingGroup: 2, maxPerProvider: 15 };

describe('The slots of a queue in one process', () => {
  let slots: Slots;
  beforeEach(() => {
    slots = createSlots(LIMITS);
  });

  const take = (id: string, wanted: number, provider?: string) =>
    slots.take({ id, provider }, wanted);
  const release = (id: string, end: RowEnd, times = 1, provider?: string) => {
    for (let ended = 0; ended < times; ended++) slots.release({ id, provider }, end);
  };
  const addBacklog = (...ids: string[]) => {
    for (const id of ids) slots.addBacklog({ id });
  };
  const takeForBacklog = () => slots.takeForBacklog().map(({ group, count }) => [group.id, count]);

  it('are shared by groups: none holds more than its share', () => {
    expect([take('a', 100), take('a', 1), take('b', 100)]).to.deep.equal([10, 0, 10]);
    release('a', 'succeeded');
    expect(take('a', 5)).to.equal(1);
  });

  it('are shared by providers: none holds more than its share, whatever its groups', () => {
    expect([take('a', 10, 'slow'), take('b', 10, 'slow'), take('c', 10, 'slow')]).to.deep.equal([
      10, 5, 0,
    ]);
    expect(take('d', 10, 'other')).to.equal(10);
    release('a', 'succeeded', 1, 'slow');
    expect(take('c', 10, 'slow')).to.equal(1);
  });

  it('are bounded together', () => {
    expect(['a', 'b', 'c', 'd'].map((id) => take(id, 10))).to.deep.equal([10, 10, 10, 0]);
  });

  it('of a failing group are fewer until one of its rows succeeds', () => {
    take('a', 10);
    release('a', 'failed', 8);
    expect(take('a', 10), 'two are in flight').to.equal(0);
    release('a', 'failed');
    expect(take('a', 10)).to.equal(1);
    release('a', 'unknown');
    expect(take('a', 10), 'a row that was not sent shows nothing').to.equal(1);
    release('a', 'succeeded');
    expect(take('a', 10)).to.equal(9);
  });

  it('follow the record of a group while this process has seen nothing of it', () => {
    take('a', 4);
    expect([0, 1, 2].map((freed) => slots.isOverLimit({ id: 'a' }, freed))).to.deep.equal([
      true,
      true,
      false,
    ]);
    release('a', 'succeeded');
    expect(slots.isOverLimit({ id: 'a' }, 0), 'it has just succeeded').to.equal(false);
    release('a', 'failed', 3);
    expect(take('a', 10), 'nothing was in flight, so all of it is forgotten').to.equal(10);
  });

  it('that come free go to groups with a backlog, in turn', () => {
    addBacklog('a', 'b', 'c');
    expect(takeForBacklog()).to.deep.equal([
      ['a', 10],
      ['b', 10],
      ['c', 10],
    ]);
    addBacklog('d', 'e', 'a');
    expect(takeForBacklog()).to.deep.equal([]);
    release('b', 'succeeded', 2);
    expect(takeForBacklog()).to.deep.equal([
      ['d', 1],
      ['e', 1],
    ]);
    release('a', 'succeeded');
    expect(takeForBacklog()).to.deep.equal([['a', 1]]);
  });

  it('are not given to a group that is full, which keeps its turn', () => {
    take('a', 10);
    addBacklog('a', 'b');
    expect(takeForBacklog()).to.deep.equal([['b', 10]]);
    addBacklog('b');
    release('a', 'succeeded');
    release('b', 'succeeded');
    expect(takeForBacklog()[0]).to.deep.equal(['a', 1]);
  });

  it('are given to a group with a backlog once, until it is known to have more', () => {
    addBacklog('a');
    takeForBacklog();
    release('a', 'succeeded', 10);
    expect([takeForBacklog(), slots.isIdle()]).to.deep.equal([[], true]);
  });

  it('remember that a group fails while it has a backlog', () => {
    take('a', 2);
    addBacklog('a');
    release('a', 'failed', 2);
    expect(takeForBacklog()).to.deep.equal([['a', 2]]);
  });

  it('are idle when nothing is in flight and no group has a backlog', () => {
    expect(slots.isIdle()).to.equal(true);
    take('a', 1);
    expect(slots.isIdle()).to.equal(false);
    addBacklog('a');
    release('a', 'succeeded');
    expect(slots.isIdle()).to.equal(false);
  });
});
