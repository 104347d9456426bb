import { expect } from 'chai';
import fc from 'fast-check';
import { hashBody } from '../../../../domain/accounts/idempotency/remembered.ts';

function shuffled(value: unknown, turn: (names: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, turn));
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(
    turn(Object.keys(fields)).map((name) => [name, shuffled(fields[name], turn)]),
  );
}

describe('The hash of a body', () => {
  it('is the same for every order of fields, at every depth', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.infiniteStream(fc.nat()), (body, chances) => {
        const turn = (names: string[]) =>
          names
            .map((name) => ({ name, chance: chances.next().value ?? 0 }))
            .sort((a, b) => a.chance - b.chance)
            .map(({ name }) => name);
        expect(hashBody(shuffled(body, turn))).to.equal(hashBody(body));
      }),
    );
  });

  it('is the same for every spelling of the same JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(8), (body, spaces) => {
        expect(hashBody(JSON.parse(JSON.stringify(body, null, spaces)))).to.equal(hashBody(body));
      }),
    );
  });

  it('differs for another body', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const isSame =
          JSON.stringify(shuffled(one, (names) => names.sort())) ===
          JSON.stringify(shuffled(other, (names) => names.sort()));
        expect(hashBody(one) === hashBody(other)).to.equal(isSame);
      }),
    );
  });

  it('differs for another order of a list, and for a number and its text', () => {
    expect(hashBody([1, 2])).not.to.equal(hashBody([2, 1]));
    expect(hashBody({ amount_kobo: 10_000 })).not.to.equal(hashBody({ amount_kobo: '10000' }));
  });
});
