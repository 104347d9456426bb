import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { PaymentOrder } from '../../../../domain/providers/port/payment.ts';
import {
  ProviderError,
  type ProviderErrorKind,
} from '../../../../domain/providers/port/provider-error.ts';
import { until } from '../../../support/until.ts';
import { forShort, halfOpen, names, options, useGuardedProvider } from './breaker-fixture.ts';

const failure = (kind: ProviderErrorKind) => new ProviderError(kind, 'verify', kind);
const overBudget = () =>
  new ProviderError('limited', 'verify', 'used up', { retryAfterMs: 900, isOverBudget: true });
const timeOut = () =>
  new ProviderError('unknown', 'verify', 'no answer', {
    cause: new DOMException('late', 'TimeoutError'),
  });

describe('The circuit breaker of a connection', () => {
  const fixture = useGuardedProvider();

  const halfOpened = async (rules = forShort) => {
    const tried = fixture(rules);
    await tried.askTimes(4, () => failure('unknown'));
    await halfOpen(tried);
    return tried;
  };
  const kindOf = async (answer: Promise<unknown>) => ((await answer) as ProviderError).kind;

  for (const kind of ['retryable', 'unknown'] as const) {
    it(`opens when most of enough calls failed (${kind}), and then refuses calls without sending them`, async () => {
      const { breaker, reached, askTimes, askEach } = fixture();
      await askTimes(3, () => failure(kind));
      expect(breaker.isOpen(), 'too few calls').to.equal(false);
      await askTimes(1, () => failure(kind));
      expect(breaker.isOpen()).to.equal(true);
      const before = reached.length;
      for (const error of await askEach(names))
        expect(error).to.be.instanceOf(ProviderError).and.to.include({ kind: 'unavailable' });
      expect(reached).to.have.length(before);
    });
  }

  it('tells once why it opened, by its own calls or by everybody’s, however often one is tried', async () => {
    const tried = await halfOpened();
    await tried.askTimes(1, () => failure('retryable'));
    expect(tried.at.reasons).to.deep.equal([failure('unknown').message]);
    const { at, askTimes } = fixture();
    at.seenByAll = { calls: 100, failed: 90 };
    await askTimes(1, () => failure('retryable'));
    await setImmediate();
    expect(at.reasons).to.deep.equal([failure('retryable').message]);
  });

  it('stays closed while every second call is answered', async () => {
    const { breaker, askTimes } = fixture();
    for (let round = 0; round < 20; round++) {
      await askTimes(1);
      await askTimes(1, () => failure('unknown'));
    }
    expect(breaker.isOpen()).to.equal(false);
  });

  for (const [answered, isOpen] of [
    [2, true],
    [3, false],
  ] as const)
    it(`${isOpen ? 'opens' : 'stays closed'} by what all processes saw after ${answered + 1} calls of its own, of which 4 are enough`, async () => {
      const { breaker, at, askTimes } = fixture();
      await askTimes(answered);
      at.seenByAll = { calls: 100, failed: 90 };
      await askTimes(1, () => failure('unknown'));
      await setImmediate();
      expect(breaker.isOpen()).to.equal(isOpen);
    });

  for (const kind of ['refused', 'duplicate', 'limited'] as const) {
    it(`stays closed after ${kind} answers`, async () => {
      const { breaker, askTimes, reached } = fixture();
      await askTimes(20, () => failure(kind));
      expect([breaker.isOpen(), reached.length]).to.deep.equal([false, 20]);
    });
  }

  it('stays closed after the failures that a test scenario asked for', async () => {
    const { breaker, at, provider } = fixture();
    at.now = async () => Promise.reject(failure('retryable'));
    const order = { testScenario: 'provider_down' } as PaymentOrder;
    for (let asked = 0; asked < 20; asked++)
      await provider.create(order, options).catch(() => undefined);
    expect(breaker.isOpen()).to.equal(false);
  });

  it('stays closed after our own short time-outs and errors', async () => {
    const { breaker, at, ask, askTimes } = fixture();
    at.now = async () => Promise.reject(timeOut());
    for (let asked = 0; asked < 20; asked++) await ask(2_500);
    await askTimes(20, () => new TypeError('our own mistake'));
    expect(breaker.isOpen()).to.equal(false);
    at.now = async () => Promise.reject(timeOut());
    for (let asked = 0; asked < 4; asked++) await ask();
    expect(breaker.isOpen(), 'a call that was given time').to.equal(true);
  });

  it('half-open, passes one call at a time, and closes once one is answered', async () => {
    const tried = await halfOpened();
    const answer = Promise.withResolvers<unknown>();
    tried.at.now = () => answer.promise;
    const before = tried.reached.length;
    const first = tried.ask();
    await until('the half-open call', async () => tried.reached.length > before);
    expect(await kindOf(tried.ask())).to.equal('unavailable');
    expect(tried.reached).to.have.length(before + 1);
    answer.resolve({});
    await first;
    expect(tried.breaker.isOpen()).to.equal(false);
    await Promise.all([tried.ask(), tried.ask()]);
    expect(tried.reached).to.have.length(before + 3);
  });

  it('opens again when the half-open call fails', async () => {
    const tried = await halfOpened({ ...forShort, openMs: 20 });
    await tried.askTimes(1, () => failure('retryable'));
    expect(tried.breaker.isOpen()).to.equal(true);
  });

  it('tells of no recovery when its half-open call fails after others closed it', async () => {
    const tried = fixture(forShort);
    tried.at.seenByAll = { calls: 4, failed: 4 };
    await tried.askTimes(1, () => failure('unknown'));
    await until('it to be half-open', async () => tried.breaker.isHalfOpen());
    tried.at.seenByAll = undefined;
    const answer = Promise.withResolvers<unknown>();
    tried.at.now = () => answer.promise;
    const before = tried.reached.length;
    const asked = tried.ask();
    await until('the half-open call', async () => tried.reached.length > before);
    tried.breaker.close();
    answer.reject(failure('unknown'));
    await asked;
    expect(tried.at.recoveries).to.equal(0);
  });

  it('stays half-open after a call that shows nothing about the provider', async () => {
    const tried = await halfOpened();
    tried.at.now = async () => Promise.reject(timeOut());
    await tried.ask(2_500);
    expect(tried.breaker.isOpen()).to.equal(false);
    await tried.askTimes(1, () => failure('unknown'));
    expect(tried.breaker.isOpen(), 'half-open: one failure is enough').to.equal(true);
  });

  it('ignores calls that the budget refused, and spends no budget while it is open', async () => {
    const tried = fixture();
    tried.at.budget = () => Promise.reject(overBudget());
    expect(await kindOf(tried.ask())).to.equal('limited');
    for (let asked = 0; asked < 20; asked++) await tried.ask();
    expect([tried.breaker.isOpen(), tried.reached.length]).to.deep.equal([false, 0]);
    tried.at.budget = async () => {};
    await tried.askTimes(4, () => failure('unknown'));
    const spent = tried.spent.length;
    expect(await kindOf(tried.ask())).to.equal('unavailable');
    expect(tried.spent).to.have.length(spent);
  });

  it('stays half-open when the budget refuses the half-open call', async () => {
    const tried = await halfOpened();
    tried.at.budget = () => Promise.reject(overBudget());
    expect(await kindOf(tried.ask())).to.equal('limited');
    expect(tried.breaker.isHalfOpen()).to.equal(true);
  });

  it('reports how long the provider takes no more calls, and not what our own budget says', async () => {
    const { at, ask, paused } = fixture();
    at.now = async () => {
      throw new ProviderError('limited', 'verify', 'too many requests', { retryAfterMs: 7_000 });
    };
    await ask();
    at.now = async () => Promise.reject(failure('limited'));
    await ask();
    at.budget = () => Promise.reject(overBudget());
    await ask();
    expect(paused).to.deep.equal([['verify', 7_000]]);
  });

  it('does not count calls that began before it opened', async () => {
    const tried = fixture(forShort);
    const late = Promise.withResolvers<unknown>();
    tried.at.now = () => late.promise;
    const early = tried.ask();
    await until('the early call', async () => tried.reached.length === 1);
    await tried.askTimes(4, () => failure('unknown'));
    await halfOpen(tried);
    late.resolve({});
    await early;
    expect(tried.breaker.isHalfOpen()).to.equal(true);
  });

  it('passes a check of credentials while it is open, because a person waits for it', async () => {
    const { provider, reached, at, askTimes } = fixture();
    await askTimes(4, () => failure('unknown'));
    at.now = async () => undefined;
    await provider.checkCredentials(options);
    expect(reached.at(-1)).to.equal('checkCredentials');
  });

  it('closes when a half-open check of credentials is answered, even with a refusal', async () => {
    for (const answer of [async () => undefined, async () => Promise.reject(failure('refused'))]) {
      const tried = await halfOpened();
      expect(tried.breaker.isHalfOpen()).to.equal(true);
      tried.at.now = answer;
      await tried.provider.checkCredentials(options).catch(() => {});
      expect([tried.breaker.isHalfOpen(), tried.breaker.isOpen()]).to.deep.equal([false, false]);
    }
  });

  it('spends the budget of each kind of call', async () => {
    const { spent, askEach } = fixture();
    await askEach(names.slice(0, 6));
    expect(spent).to.deep.equal(['create', 'verify', 'refund', 'look up', 'look up', 'look up']);
  });
});
