import { expect } from 'chai';
import { leapingTime } from '../../../support/connection-task.ts';
import {
  forShort,
  type GuardedProvider,
  halfOpen,
  options,
  useGuardedProvider,
} from './breaker-fixture.ts';

describe('The circuit breaker of a provider that answers slowly', () => {
  const fixture = useGuardedProvider();

  const askSlowly = async (
    { at, ask }: GuardedProvider,
    times: number,
    tookMs: number,
    timeoutMs = options.timeoutMs,
  ) => {
    using time = leapingTime();
    at.now = async () => {
      time.leap(tookMs);
      return {};
    };
    for (let asked = 0; asked < times; asked++) await ask(timeoutMs);
  };
  const slowMs = options.timeoutMs / 2 + 1;

  it('opens when most of enough calls took more than half of their time-out', async () => {
    const tried = fixture();
    await askSlowly(tried, 3, slowMs);
    expect(tried.breaker.isOpen(), 'too few calls').to.equal(false);
    await askSlowly(tried, 1, slowMs);
    expect(tried.breaker.isOpen()).to.equal(true);
  });

  it('stays closed while calls take up to half of their time-out', async () => {
    const tried = fixture();
    await askSlowly(tried, 20, options.timeoutMs / 2 - 100);
    expect(tried.breaker.isOpen()).to.equal(false);
  });

  it('stays closed after calls that were given little time', async () => {
    const tried = fixture();
    await askSlowly(tried, 20, 2_000, 2_500);
    expect(tried.breaker.isOpen()).to.equal(false);
  });

  it('stays closed while the calls of a long list are quick, and opens when they are slow', async () => {
    for (const [tookMs, isOpen] of [
      [slowMs - 100, false],
      [slowMs, true],
    ] as const) {
      const tried = fixture();
      using time = leapingTime();
      tried.at.now = async (again) => {
        time.leap(tookMs);
        for (let page = 2; page <= 3; page++) {
          await again();
          time.leap(tookMs);
        }
        return {};
      };
      for (let asked = 0; asked < 4; asked++) await tried.ask();
      expect(tried.breaker.isOpen()).to.equal(isOpen);
    }
  });

  it('half-open, closes after a quick answer only', async () => {
    const tried = fixture({ ...forShort, openMs: 20 });
    await askSlowly(tried, 4, slowMs);
    await halfOpen(tried);
    await askSlowly(tried, 1, slowMs);
    expect(tried.breaker.isOpen(), 'the half-open call was slow').to.equal(true);
    await halfOpen(tried);
    await tried.askTimes(1);
    expect([tried.breaker.isOpen(), tried.breaker.isHalfOpen()]).to.deep.equal([false, false]);
  });
});
