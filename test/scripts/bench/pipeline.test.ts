import { expect } from 'chai';
import { measuredFrom, type Step } from '../../../scripts/bench/pipeline.ts';

const step = (rate: number): Step => ({
  rate,
  offered: 10 * rate,
  received: 10 * rate,
  receivedPerSecond: rate,
  hasKeptUp: true,
  createMs: [1, 2, 3],
  payableMs: [10],
  paidToWebhookMs: [100, 200, 300],
  statements: [
    { text: 'begin', calls: 20 * rate, meanMs: 0.001 },
    { text: 'select 1', calls: 10 * rate, meanMs: 0.01 },
  ],
  cpu: { api: 1, workers: 2, postgres: 3, redis: 0.5, sandbox: 1, sandbox_postgres: 2 },
});

describe('The bench of the whole life of a charge', () => {
  it('gives the figures of the highest rate that is kept up, for one charge', () => {
    const behind = { ...step(100), hasKeptUp: false };
    const late = { ...step(75), paidToWebhookMs: [100, 200, 400] };
    const { figures } = measuredFrom([step(25), step(50), late, behind]);
    expect(figures).to.deep.include({
      charges_per_second: 50,
      create_p50_ms: 2,
      paid_to_webhook_p50_ms: 200,
      statements_per_charge: 3,
      cpu_ms_per_charge: { api: 1, workers: 2, postgres: 3, redis: 0.5, sandbox: 3 },
    });
    expect(figures.sweep).to.have.length(4);
  });

  it('gives those of the lowest rate where none is kept up, with its statements', () => {
    const behind = [25, 50].map((rate) => ({ ...step(rate), hasKeptUp: false }));
    const { figures, details } = measuredFrom(behind);
    expect(figures).to.deep.include({ charges_per_second: 0, most_webhooks_per_second: 50 });
    expect(details!.join('\n')).to.contain('at 25/s').and.contain('  2.00 ×    0.001 ms  begin');
  });

  it('divides the CPU of the service by that of its floor, customers and providers left out', () => {
    const others = { customers: 1, sandbox: 1, sandbox_postgres: 2 };
    const floor = { ...step(50), cpu: { floor: 2, postgres: 0.6, ...others } };
    const { figures } = measuredFrom([{ ...step(50), floor }]);
    expect(figures).to.have.property('cpu_ratio', 2.5);
    expect(figures.sweep).to.have.nested.property('[0].cpu_ratio', 2.5);
    expect(figures).to.have.nested.property('floor.cpu_ms_per_charge.floor', 2);
  });
});
