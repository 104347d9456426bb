import { expect } from 'chai';
import { createSlots, type RowEnd, type Slots } from '../../workers/slots.ts';

const LIMITS = { concurrency: 30, maxPerGroup: 10, maxPerFailingGroup: 2, maxPerProvider: 15 };

describe('The slots of a queue in one process', () => {
  let slots: Slots;
  beforeEach(() => {
    slots = createSlots(LIMITS);
  });

  const release = (id: string, end: RowEnd, count = 1, provider?: string) =>
    slots.release({ id, provider }, end, count);
  const begin = (...ids: string[]) => {
    for (const id of ids) slots.addBacklog({ id }, 'first');
  };
  const beginAt = (provider: string, ...ids: string[]) => {
    for (const id of ids) slots.addBacklog({ id, provider }, 'first');
  };
  const taken = () => slots.takeForBacklog().map(({ group, count }) => `${group.id} ${count}`);
  const groupsTaken = () => taken().map((text) => text[0]);

  it('are shared by groups: none holds more than its share', () => {
    begin('a', 'b');
    expect(taken()).to.deep.equal(['a 10', 'b 10']);
    begin('a');
    expect([taken(), slots.room({ id: 'a' }), slots.room({ id: 'c' })]).to.deep.equal([[], 0, 10]);
    release('a', 'succeeded');
    expect([slots.room({ id: 'a' }), taken()]).to.deep.equal([1, ['a 1']]);
  });

  it('are shared by providers: none holds more than its share, whatever its groups', () => {
    beginAt('slow', 'a', 'b', 'c');
    beginAt('other', 'd');
    expect(taken()).to.deep.equal(['a 7', 'b 7', 'c 1', 'd 7']);
    beginAt('slow', 'e');
    expect(taken()).to.deep.equal([]);
    release('a', 'succeeded', 2, 'slow');
    expect(taken()).to.deep.equal(['e 2']);
  });

  it('are bounded together', () => {
    for (const id of ['a', 'b', 'c', 'd']) begin(id);
    expect(taken()).to.deep.equal(['a 7', 'b 7', 'c 7', 'd 7']);
    begin('e', 'f', 'g');
    expect(taken()).to.deep.equal(['e 1', 'f 1']);
  });

  it('of a failing group are fewer until one of its rows succeeds', () => {
    begin('a');
    taken();
    release('a', 'failed', 8);
    begin('a');
    expect(taken(), 'two are in flight').to.deep.equal([]);
    release('a', 'failed');
    expect(taken()).to.deep.equal(['a 1']);
    release('a', 'unknown');
    begin('a');
    expect(taken(), 'a row that was not sent shows nothing').to.deep.equal(['a 1']);
    release('a', 'succeeded');
    begin('a');
    expect(taken()).to.deep.equal(['a 9']);
  });

  it('follow the record of a group while this process has seen nothing of it', () => {
    begin('a');
    taken();
    release('a', 'unknown', 6);
    expect([0, 1, 2].map((freed) => slots.isOverLimit({ id: 'a' }, freed))).to.deep.equal([
      true,
      true,
      false,
    ]);
    release('a', 'succeeded');
    expect(slots.isOverLimit({ id: 'a' }, 0), 'it has just succeeded').to.equal(false);
    release('a', 'failed', 3);
    begin('a');
    expect(taken(), 'nothing was in flight, so all of it is forgotten').to.deep.equal(['a 10']);
  });

  it('that come free go to groups with a backlog, in turn', () => {
    begin('a', 'b', 'c');
    expect(groupsTaken()).to.deep.equal(['a', 'b', 'c']);
    begin('d', 'e', 'a');
    expect(taken()).to.deep.equal([]);
    release('b', 'succeeded', 2);
    expect(taken()).to.deep.equal(['d 1', 'e 1']);
    release('a', 'succeeded');
    expect(taken()).to.deep.equal(['a 1']);
  });

  it('go to groups with the first turn before the others, one of which may get it later', () => {
    begin('a', 'b', 'c');
    taken();
    for (const id of ['d', 'e', 'f']) slots.addBacklog({ id }, 'later');
    begin('g', 'e');
    slots.addBacklog({ id: 'g' }, 'later');
    release('a', 'succeeded', 3);
    expect(groupsTaken()).to.deep.equal(['g', 'e', 'd']);
  });

  it('are not given to a group that is full, which keeps its turn', () => {
    begin('a');
    taken();
    begin('a', 'b');
    expect(taken()).to.deep.equal(['b 10']);
    begin('b');
    release('a', 'succeeded');
    release('b', 'succeeded');
    expect(taken()[0]).to.equal('a 1');
  });

  it('are given to a group with a backlog once, until it is known to have more', () => {
    begin('a');
    taken();
    release('a', 'succeeded', 10);
    expect([taken(), slots.isIdle()]).to.deep.equal([[], true]);
  });

  it('remember that a group fails while it has a backlog', () => {
    begin('a');
    taken();
    begin('a');
    release('a', 'failed', 10);
    expect(taken()).to.deep.equal(['a 2']);
  });

  it('are idle when nothing is in flight and no group has a backlog', () => {
    expect([slots.isIdle(), slots.hasBacklog()]).to.deep.equal([true, false]);
    begin('a');
    expect([slots.isIdle(), slots.hasBacklog()]).to.deep.equal([false, true]);
    expect(['a', 'b'].map(slots.isWaiting)).to.deep.equal([true, false]);
    taken();
    expect([slots.isIdle(), slots.hasBacklog()]).to.deep.equal([false, false]);
    release('a', 'succeeded', 10);
    expect(slots.isIdle()).to.equal(true);
  });
});
