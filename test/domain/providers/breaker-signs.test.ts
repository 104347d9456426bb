import { expect } from 'chai';
import { breakerRules, createBreaker, type Health } from '../../../domain/providers/breaker.ts';
import { until } from '../../support/until.ts';

describe('What a breaker learns of its provider', () => {
  const { failingForMs } = breakerRules;
  let nowMs: number;
  let signs: string[];
  const open = (rules: Partial<typeof breakerRules> = {}) =>
    createBreaker(
      { ...breakerRules, ...rules },
      () => nowMs,
      (sign) => signs.push(sign),
    );
  const call = async (breaker: ReturnType<typeof open>, health: Health) =>
    breaker.run(
      async () => {},
      () => health,
      () => new Error('open'),
    );
  beforeEach(() => {
    nowMs = 0;
    signs = [];
  });

  it('has recovered: answered for the first time after it failed for long', async () => {
    using breaker = open();
    for (const health of ['answered', 'failed', 'slow', null, 'failed'] as const)
      await call(breaker, health);
    nowMs = failingForMs;
    await call(breaker, null);
    expect(signs).to.deep.equal([]);
    for (let calls = 0; calls < 2; calls++) await call(breaker, 'answered');
    expect(signs).to.deep.equal(['has recovered']);
  });

  it('answers now and then: nothing', async () => {
    using breaker = open({ minimumCalls: 100 });
    for (let round = 0; round < 10; round++) {
      await call(breaker, 'failed');
      nowMs += failingForMs - 1;
      await call(breaker, 'answered');
    }
    expect(signs).to.deep.equal([]);
  });

  it('may be tried: said when it is half-open, and when reminded until it is', async () => {
    using breaker = open({ minimumCalls: 1, openMs: 1 });
    await call(breaker, 'failed');
    nowMs = failingForMs;
    await until('half-open', async () => breaker.isHalfOpen());
    expect(signs).to.deep.equal(['may be tried']);
    breaker.remind();
    await call(breaker, 'answered');
    breaker.remind();
    expect(signs).to.deep.equal(['may be tried', 'may be tried', 'has recovered']);
  });
});
