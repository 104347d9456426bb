import { expect } from 'chai';
import {
  createEndpointLimiter,
  type EndpointLimiter,
} from '../../../../domain/webhooks/delivery/endpoint-limiter.ts';

const delivery = (number: number, tries = 1) => ({ id: `dlv_${number}`, tries });
const ids = (deliveries: readonly { id: string }[]) =>
  deliveries.map(({ id }) => Number(id.slice('dlv_'.length)));
const several = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => from + index);

describe('The limit of deliveries in flight to an endpoint', () => {
  let limiter: EndpointLimiter;
  beforeEach(() => {
    limiter = createEndpointLimiter();
  });

  /** Which of these get a slot; the others wait. */
  const acquire = (numbers: readonly number[], endpoint = 'whe_1', tries = 1, isFailing = false) =>
    numbers.filter((number) => limiter.acquire(endpoint, isFailing, delivery(number, tries)));
  const release = (succeeded: boolean, endpoint = 'whe_1') =>
    ids(limiter.release(endpoint, succeeded));

  it('is ten for each endpoint', () => {
    expect(acquire(several(30))).to.deep.equal(several(10));
    expect(acquire(several(30), 'whe_2')).to.deep.equal(several(10));
  });

  it('releases the oldest waiting delivery after each success', () => {
    acquire(several(13));
    expect(release(true)).to.deep.equal([11]);
    expect(acquire([11])).to.deep.equal([11]);
    expect(release(true)).to.deep.equal([12]);
  });

  it('falls to two after a failure: none is released until fewer than two are in flight', () => {
    acquire(several(20));
    for (let ended = 1; ended <= 8; ended++)
      expect(release(false), `${ended} have failed`).to.deep.equal([]);
    expect(release(false), 'one is in flight').to.deep.equal([11]);
    expect(acquire([11])).to.deep.equal([11]);
    expect(release(false)).to.deep.equal([12]);
  });

  it('is ten again after one success: as many are released as slots are free', () => {
    acquire(several(20));
    for (let ended = 1; ended <= 9; ended++) release(false);
    expect(release(true)).to.deep.equal(several(10, 11).filter((number) => number !== 11));
  });

  it('is two for an endpoint whose row is marked as failing', () => {
    expect(acquire(several(30), 'whe_1', 1, true)).to.deep.equal([1, 2]);
  });

  it('follows the results in this process while a delivery is in flight, whatever the row says', () => {
    acquire([1, 2], 'whe_1', 1, true);
    expect(release(true)).to.deep.equal([]);
    expect(acquire(several(30, 3), 'whe_1', 1, true)).to.deep.equal(several(9, 3));
    expect(release(false)).to.deep.equal([]);
    expect(acquire([40])).to.deep.equal([]);
  });

  it('follows the row again once nothing is in flight', () => {
    for (const [endpoint, succeeded] of [
      ['whe_1', true],
      ['whe_2', false],
    ] as const) {
      acquire([1], endpoint);
      expect(release(succeeded, endpoint)).to.deep.equal([]);
      expect(acquire(several(30), endpoint)).to.deep.equal(several(10));
    }
  });

  it('releases none that would find no slot', () => {
    acquire(several(300));
    const followers = several(40).flatMap(() =>
      release(true).map((number) => acquire([number]).length),
    );
    expect(followers.every((acquired) => acquired === 1)).to.equal(true);
  });

  it('releases ten, not fifty-five, when ten end at the same moment', () => {
    acquire(several(100));
    expect(several(10).flatMap(() => release(true))).to.deep.equal(several(10, 11));
  });

  it('holds a delivery once that is claimed again while it waits, with its latest count of tries', () => {
    acquire(several(10));
    for (let tries = 1; tries <= 50; tries++) acquire([11, 12], 'whe_1', tries);
    expect(limiter.release('whe_1', true)).to.deep.equal([delivery(11, 50)]);
    expect(acquire([11], 'whe_1', 51)).to.deep.equal([11]);
    expect(limiter.release('whe_1', true)).to.deep.equal([delivery(12, 50)]);
    acquire([12], 'whe_1', 51);
    expect(release(true)).to.deep.equal([]);
  });

  it('does not release a delivery that was claimed again and got a slot', () => {
    acquire(several(12));
    expect(release(true), 'the eleventh may follow').to.deep.equal([11]);
    expect(acquire([12, 11], 'whe_1', 2), 'the twelfth is claimed again first').to.deep.equal([12]);
    expect(release(true), 'and is not given a slot twice').to.deep.equal([11]);
  });
});
