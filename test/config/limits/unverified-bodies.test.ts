import { expect } from 'chai';
import { createUnverifiedBodies } from '../../../config/limits/unverified-bodies.ts';

const bounds = { process: 100_000, network: 40_000, receiver: 60_000 };
const counting = (bytes: number) => bytes - 512;

describe('Bodies of strangers', () => {
  it('take so much of each network, receiver and process, and no byte more', () => {
    const bodies = createUnverifiedBodies(bounds);
    const from = (network: string, receiver: string) => bodies.hold({ network, receiver });
    expect(from('a', 'one').take(counting(40_000))).to.equal(true);
    expect(from('a', 'two').take(counting(513)), 'the network').to.equal(false);
    expect(from('b', 'one').take(counting(20_001)), 'the receiver').to.equal(false);
    expect(from('b', 'one').take(counting(20_000))).to.equal(true);
    expect(from('c', 'two').take(counting(40_000))).to.equal(true);
    expect(from('d', 'three').take(counting(513)), 'the process').to.equal(false);
  });

  it('are no longer counted once they are released, however often', () => {
    const bodies = createUnverifiedBodies(bounds);
    for (let n = 0; n < 10; n++) {
      const held = bodies.hold({ network: 'a', receiver: 'one' });
      expect(held.take(counting(20_000))).to.equal(true);
      expect(held.take(counting(20_000))).to.equal(true);
      expect(held.take(1)).to.equal(false);
      held[Symbol.dispose]();
      held[Symbol.dispose]();
    }
  });

  it('count what each chunk takes besides its bytes', () => {
    const held = createUnverifiedBodies(bounds).hold({ network: 'a' });
    let chunks = 0;
    while (chunks < 1_000 && held.take(1)) chunks++;
    expect(chunks).to.equal(Math.floor(40_000 / 513));
  });
});
