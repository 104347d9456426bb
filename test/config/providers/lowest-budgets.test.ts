import { expect } from 'chai';
import { createLowestBudgets } from '../../../config/providers/lowest-budgets.ts';
import { createClock, MINUTE } from '../../support/clock.ts';

describe('The lowest call budget of a provider', () => {
  const target = { provider: 'paystack', mode: 'live' };

  it('is that of the connection with the least left, for a minute or two', () => {
    const clock = createClock();
    const budgets = createLowestBudgets(clock);
    expect(budgets.read()).to.deep.equal([]);
    for (const remaining of [50, 20, 90]) budgets.learn(target, { limit: 100, remaining });
    expect(budgets.read()).to.deep.equal([[target, 0.2]]);
    clock.advance(MINUTE);
    budgets.learn(target, { limit: 100, remaining: 70 });
    expect(budgets.read()).to.deep.equal([[target, 0.2]]);
    clock.advance(MINUTE);
    expect(budgets.read()).to.deep.equal([[target, 0.7]]);
    clock.advance(2 * MINUTE);
    expect(budgets.read()).to.deep.equal([[target, 1]]);
  });
});
