import { expect } from 'chai';
import type { EndedCall } from '../../../config/observability/metrics.ts';
import { noTracing } from '../../../config/observability/tracing.ts';
import { observeCall } from '../../../config/providers/observe-call.ts';
import { ProviderError } from '../../../domain/providers/port/provider-error.ts';

describe('A question to a provider', () => {
  const target = { provider: 'paystack', mode: 'live' };
  const outcomeOf = async (ask: () => Promise<unknown>) => {
    const calls: EndedCall[] = [];
    const metrics = { recordProviderCall: (call: EndedCall) => void calls.push(call) };
    const asked = observeCall({ metrics, tracing: noTracing }, target, 'verify', ask);
    await asked.catch(() => {});
    expect(calls).to.have.length(1);
    expect(calls[0]).to.include({ ...target, operation: 'verify' });
    return calls[0]!.outcome;
  };
  const fails = (kind: 'limited' | 'unknown', isOverBudget = false) =>
    outcomeOf(() => Promise.reject(new ProviderError(kind, 'verify', 'no', { isOverBudget })));

  it('is counted by how it ended, a refusal of our own budget apart', async () => {
    expect(await outcomeOf(async () => ({}))).to.equal('answered');
    expect(await fails('unknown')).to.equal('unknown');
    expect(await fails('limited')).to.equal('limited');
    expect(await fails('limited', true)).to.equal('over_budget');
    expect(await outcomeOf(() => Promise.reject(new Error('ours')))).to.equal('error');
  });

  it('hands on the answer, or the error', async () => {
    const metrics = { recordProviderCall: () => {} };
    const ask = (answer: Promise<number>) =>
      observeCall({ metrics, tracing: noTracing }, target, 'verify', () => answer);
    expect(await ask(Promise.resolve(7))).to.equal(7);
    const refusal = new Error('no');
    expect(await ask(Promise.reject(refusal)).catch((error) => error)).to.equal(refusal);
  });
});
