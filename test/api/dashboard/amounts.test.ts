import { expect } from 'chai';
import { koboOf } from '../../../api/dashboard/amounts.ts';
import { Problem } from '../../../domain/shared/problems.ts';

describe('An amount typed in naira', () => {
  const right: [typed: string, kobo: number][] = [
    ['2500', 250_000],
    ['2,500', 250_000],
    ['₦1,234,567.8', 123_456_780],
    [' 12 500.05 ', 1_250_005],
    ['0.5', 50],
  ];
  for (const [typed, kobo] of right)
    it(`is read from ${JSON.stringify(typed)}`, () => {
      expect(koboOf('amount', typed)).to.equal(kobo);
    });

  // A decimal comma, read as a separator of thousands, would be a hundred times as much.
  for (const typed of ['10,50', '1,2345', ',500', '1,', '2.500,00', '1e3', '-5', '', '1.234'])
    it(`is refused, by its field, in ${JSON.stringify(typed)}`, () => {
      expect(() => koboOf('amount', typed))
        .to.throw(Problem)
        .with.nested.property('fields.amount');
    });
});
