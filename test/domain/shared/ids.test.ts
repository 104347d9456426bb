import { expect } from 'chai';
import {
  chargeIdOf,
  checkoutIdOf,
  firstIdAt,
  isId,
  NIL_TENANT_ID,
  newId,
  numberOf,
  randomBase36,
  referenceOf,
} from '../../../domain/shared/ids.ts';

const now = new Date('2026-03-02T09:00:00.000Z');

describe('An identifier', () => {
  it('is its prefix and 26 characters', () => {
    expect(newId('txn', now)).to.match(/^txn_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(isId('txn', newId('txn', now))).to.equal(true);
  });

  it('sorts as text by the millisecond in which it was created', () => {
    const ids = Array.from({ length: 500 }, (_, ms) =>
      newId('txn', new Date(now.getTime() + ms * 7)),
    );
    expect([...ids].sort()).to.deep.equal(ids);
  });

  it('has a bound that separates ids created before an instant from those created since', () => {
    const first = firstIdAt('txn', now);
    expect(isId('txn', first)).to.equal(true);
    const allOnes = (size: number) => new Uint8Array(size).fill(255);
    const allZeros = (size: number) => new Uint8Array(size);
    expect(newId('txn', now, allZeros) >= first).to.equal(true);
    expect(newId('txn', new Date(now.getTime() - 1), allOnes) < first).to.equal(true);
  });

  it('has bounds at the ends of time as well', () => {
    expect(firstIdAt('txn', new Date('0001-01-01'))).to.equal(`txn_${'0'.repeat(26)}`);
    expect(
      firstIdAt('txn', new Date('+010000-01-01')) > newId('txn', new Date('9999-12-31')),
    ).to.equal(true);
  });

  it('is unique, also within one millisecond', () => {
    expect(new Set(Array.from({ length: 20_000 }, () => newId('evt', now))).size).to.equal(20_000);
  });

  it('is distinguished from text that looks like one', () => {
    const id = newId('txn', now);
    const cut = ['', 'txn_', id.slice(0, -1), `${id}0`, id.toUpperCase(), id.replace('txn', 'ct')];
    for (const text of [...cut, `txn_8${id.slice(5)}`, `txn_${'u'.repeat(26)}`])
      expect(isId('txn', text), text).to.equal(false);
  });

  it('has the same 26 characters in both ids of a charge', () => {
    const id = newId('txn', now);
    expect(checkoutIdOf(id)).to.equal(`ct_${id.slice(4)}`);
    expect(chargeIdOf(checkoutIdOf(id))).to.equal(id);
    for (const text of [id, 'ct_', `ct_${id.slice(4)}x`])
      expect(chargeIdOf(text), text).to.equal(undefined);
  });

  it('for an unknown tenant has the form of a tenant id', () => {
    expect(isId('ten', NIL_TENANT_ID)).to.equal(true);
  });
});

describe('A service reference', () => {
  it('is read as its number', () => {
    for (const number of [1, 100_001, 999_999_999_999_999])
      expect(numberOf(referenceOf(number))).to.equal(number);
  });

  it('is refused in any other spelling', () => {
    const padded = ['SV-', 'SV-0', 'SV-01', 'sv-1', ' SV-1', 'SV-1 ', 'SV-1\n', 'SV-1e5', 'SV--1'];
    for (const text of [...padded, 'SV-1000000000000000', 'SV-100001-abcdefgh'])
      expect(numberOf(text), JSON.stringify(text)).to.equal(undefined);
  });
});

describe('Random base36', () => {
  it('is unbiased: of all 256 bytes 7 lead to each character, and 4 are discarded', () => {
    const everyByte = (size: number) => Uint8Array.from({ length: size }, (_, byte) => byte);
    const text = randomBase36(256, everyByte).slice(0, 252);
    const counts = Map.groupBy(text, (character) => character);
    expect(counts.size).to.equal(36);
    expect(new Set([...counts.values()].map((found) => found.length))).to.deep.equal(new Set([7]));
  });

  it('draws more bytes when some were discarded', () => {
    const answers = [new Uint8Array(8).fill(255), new Uint8Array(8).fill(35)];
    expect(randomBase36(8, () => answers.shift()!)).to.equal('zzzzzzzz');
  });
});
