import { expect } from 'chai';
import { createCallPauses } from '../../../config/providers/call-pauses.ts';

const now = new Date('2026-03-02T09:00:00Z');
const inMs = (ms: number) => new Date(now.getTime() + ms);

describe('The pauses of a connection’s calls', () => {
  it('last until the later of two times, whichever is said last, each counter by itself', () => {
    const pauses = createCallPauses(() => now);
    expect(pauses.begin('con_1', 'calls', inMs(2_000))).to.equal(true);
    expect(pauses.begin('con_1', 'calls', inMs(1_000))).to.equal(false);
    pauses.learn({ id: 'con_1', calls_paused: { calls: inMs(500).toISOString() } });
    expect(pauses.waitMs('con_1', 'calls')).to.equal(2_000);
    expect(pauses.waitMs('con_1', 'lists')).to.equal(null);
  });
});
