import { expect } from 'chai';
import { createWaitingRows } from '../../../config/queues/waiting-rows.ts';
import { MINUTE_MS } from '../../../domain/shared/units.ts';

describe('Rows that wait for a provider', () => {
  let nowMs: number;
  let woken: string[];
  let waiting: ReturnType<typeof createWaitingRows>;
  beforeEach(() => {
    [nowMs, woken] = [0, []];
    waiting = createWaitingRows(
      (group, rows) => woken.push([group, ...rows.map(({ id }) => id)].join(' ')),
      () => nowMs,
    );
  });
  const add = (group: string, id: string, startedMs = nowMs) =>
    waiting.add(group, { id, tries: 1 }, startedMs);

  it('are woken by group, in their order, those that were not claimed meanwhile', () => {
    for (const id of ['att_1', 'att_2', 'att_3']) add('con_a', id);
    add('con_b', 'att_4');
    waiting.forget('att_2');
    waiting.wake('con_a');
    waiting.wake('con_c');
    expect(woken).to.deep.equal(['con_a att_1 att_3']);
  });

  it('are woken, too, if they failed in a call that began before it', () => {
    add('con_a', 'att_1');
    nowMs = 1_000;
    waiting.wake('con_a');
    add('con_a', 'att_2', 999);
    add('con_a', 'att_3', 1_001);
    add('con_b', 'att_4', 999);
    expect(woken).to.deep.equal(['con_a att_1', 'con_a att_2']);
  });

  it('are woken once a minute: one that fails by itself does not follow every recovery', () => {
    for (const ms of [0, MINUTE_MS - 1, MINUTE_MS, 2 * MINUTE_MS - 1]) {
      nowMs = ms;
      add('con_a', 'att_1');
      waiting.wake('con_a');
    }
    expect(woken).to.deep.equal(['con_a att_1', 'con_a att_1']);
  });
});
