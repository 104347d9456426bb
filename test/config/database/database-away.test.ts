import { expect } from 'chai';
import { isDatabaseAway } from '../../../config/database/database-away.ts';

describe('A database that is away', () => {
  const codes = {
    'its disk is full': '53100',
    'it has no memory left': '53200',
    'it takes no more connections': '53300',
    'its disk fails': '58030',
    'it shuts down': '57P01',
    'a statement took too long': '57014',
    'it refuses connections': 'ECONNREFUSED',
    'no network leads to it': 'ENETUNREACH',
    'its name is not found': 'ENOTFOUND',
    'no name server answers': 'EAI_AGAIN',
  };
  for (const [why, code] of Object.entries(codes))
    it(`is known by ${code}: ${why}`, () => {
      expect(isDatabaseAway(Object.assign(new Error(why), { code }))).to.equal(true);
    });

  it('is not one that refuses a row, or has no such table', () => {
    for (const code of ['23505', '42P01', undefined])
      expect(isDatabaseAway(Object.assign(new Error('refused'), { code }))).to.equal(false);
  });
});
