import { expect } from 'chai';
import { createEndpointGate, type EndpointGate } from '../../workers/endpoint-gate.ts';

const delivery = (number: number, tries = 1) => ({ id: `dlv_${number}`, tries });
const ids = (deliveries: readonly { id: string }[]) => deliveries.map(({ id }) => Number(id.slice('dlv_'.length)));
const several = (count: number, from = 1) => Array.from({ length: count }, (_, place) => from + place);

describe('The gate to an endpoint', () => {
  let gate: EndpointGate;
  beforeEach(() => {
    gate = createEndpointGate();
  });

  /** Which of these may go. */
  const enter = (numbers: readonly number[], endpoint = 'whe_1', tries = 1) =>
    numbers.filter((number) => gate.enter(endpoint, delivery(number, tries)));
  const leave = (succeeded: boolean, endpoint = 'whe_1') => ids(gate.leave(endpoint, succeeded));
  /** How many could go now, at most `most`. */
  const room = (most = 50) => enter(several(most, 1_000)).length;

  it('lets ten pass at once, and each of another endpoint too', () => {
    expect(enter(several(30))).to.deep.equal(several(10));
    expect(enter(several(30), 'whe_2')).to.deep.equal(several(10));
  });

  it('calls the next one for each that succeeded, oldest first', () => {
    enter(several(13));
    expect(leave(true)).to.deep.equal([11]);
    expect(enter([11])).to.deep.equal([11]);
    expect(leave(true)).to.deep.equal([12]);
  });

  it('is narrowed to two by a failure: calls nobody until fewer than two are under way', () => {
    enter(several(20));
    for (let ended = 1; ended <= 8; ended++) expect(leave(false), `${ended} have failed`).to.deep.equal([]);
    expect(leave(false), 'one is under way').to.deep.equal([11]);
    expect(enter([11])).to.deep.equal([11]);
    expect(leave(false)).to.deep.equal([12]);
  });

  it('is as wide as ever after one success, and calls as many as there is room for', () => {
    enter(several(20));
    for (let ended = 1; ended <= 9; ended++) leave(false);
    expect(leave(true)).to.deep.equal(several(10, 11).filter((number) => number !== 11));
  });

  it('remembers that an endpoint fails while nothing is under way', () => {
    enter([1]);
    leave(false);
    expect(room()).to.equal(2);
  });

  it('forgets an endpoint that is well and has nothing under way', () => {
    enter([1]);
    expect(leave(true)).to.deep.equal([]);
    expect(room()).to.equal(10);
  });

  it('calls nobody who may not pass', () => {
    enter(several(300));
    const called = several(40).flatMap(() => leave(true).map((number) => enter([number]).length));
    expect(called.every((passed) => passed === 1)).to.equal(true);
  });
});
