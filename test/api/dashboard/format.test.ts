import { expect } from 'chai';
import { formatsFor } from '../../../api/dashboard/format.ts';

describe('A time in the dashboard', () => {
  const { time } = formatsFor('Africa/Lagos');

  it('is a day alone where its provider stated no time', () => {
    expect(time('2026-11-22T00:00:00.000Z')).to.equal('22 Nov 2026');
    expect(time('2026-11-22T00:00:01.000Z')).to.equal('22 Nov 2026, 01:00');
  });
});
