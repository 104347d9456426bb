import { expect } from 'chai';
import { createEndpointGate, type EndpointGate } from '../../workers/endpoint-gate.ts';

const delivery = (number: number, tries = 1) => ({ id: `dlv_${number}`, tries });
const ids = (deliveries: readonly { id: string }[]) =>
  deliveries.map(({ id }) => Number(id.slice('dlv_'.length)));
const several = (count: number, from = 1) =>
  Array.from({ length: count }, (_, place) => from + place);

describe('The gate to an endpoint', () => {
  let gate: EndpointGate;
  beforeEach(() => {
    gate = createEndpointGate();
  });

  /** Which of these may go; the others wait. */
  const enter = (numbers: readonly number[], endpoint = 'whe_1', tries = 1, isFailing = false) =>
    numbers.filter((number) => gate.enter(endpoint, isFailing, delivery(number, tries)));
  const leave = (succeeded: boolean, endpoint = 'whe_1') => ids(gate.leave(endpoint, succeeded));

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
    for (let ended = 1; ended <= 8; ended++)
      expect(leave(false), `${ended} have failed`).to.deep.equal([]);
    expect(leave(false), 'one is under way').to.deep.equal([11]);
    expect(enter([11])).to.deep.equal([11]);
    expect(leave(false)).to.deep.equal([12]);
  });

  it('is as wide as ever after one success, and calls as many as there is room for', () => {
    enter(several(20));
    for (let ended = 1; ended <= 9; ended++) leave(false);
    expect(leave(true)).to.deep.equal(several(10, 11).filter((number) => number !== 11));
  });

  it('lets two pass at once to an endpoint that fails by the books', () => {
    expect(enter(several(30), 'whe_1', 1, true)).to.deep.equal([1, 2]);
  });

  it('goes by what it saw itself while something is under way, whatever the books still say', () => {
    enter([1, 2], 'whe_1', 1, true);
    expect(leave(true)).to.deep.equal([]);
    expect(enter(several(30, 3), 'whe_1', 1, true)).to.deep.equal(several(9, 3));
    expect(leave(false)).to.deep.equal([]);
    expect(enter([40])).to.deep.equal([]);
  });

  it('forgets an endpoint that has nothing under way, failed or not: the books say how it is', () => {
    for (const [endpoint, succeeded] of [
      ['whe_1', true],
      ['whe_2', false],
    ] as const) {
      enter([1], endpoint);
      expect(leave(succeeded, endpoint)).to.deep.equal([]);
      expect(enter(several(30), endpoint)).to.deep.equal(several(10));
    }
  });

  it('calls nobody who may not pass', () => {
    enter(several(300));
    const called = several(40).flatMap(() => leave(true).map((number) => enter([number]).length));
    expect(called.every((passed) => passed === 1)).to.equal(true);
  });

  it('calls ten, not fifty-five, for ten that end at the same moment', () => {
    enter(several(100));
    expect(several(10).flatMap(() => leave(true))).to.deep.equal(several(10, 11));
  });

  it('remembers one that comes back by itself and is turned away again once only, as it is now', () => {
    enter(several(10));
    for (let tries = 1; tries <= 50; tries++) enter([11, 12], 'whe_1', tries);
    expect(gate.leave('whe_1', true)).to.deep.equal([delivery(11, 50)]);
    expect(enter([11], 'whe_1', 51)).to.deep.equal([11]);
    expect(gate.leave('whe_1', true)).to.deep.equal([delivery(12, 50)]);
    enter([12], 'whe_1', 51);
    expect(leave(true)).to.deep.equal([]);
  });

  it('calls nobody who came back by itself meanwhile and was let in', () => {
    enter(several(12));
    expect(leave(true), 'the eleventh is called').to.deep.equal([11]);
    expect(enter([12, 11], 'whe_1', 2), 'the twelfth comes by itself and is quicker').to.deep.equal(
      [12],
    );
    expect(leave(true), 'and its place is not given to it again').to.deep.equal([11]);
  });
});
