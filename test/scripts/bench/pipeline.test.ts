import { expect } from 'chai';
import { reportOf, resultOf } from '../../../scripts/bench/pipeline-report.ts';
import type { Step } from '../../../scripts/bench/pipeline-step.ts';

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
    const result = resultOf('pipeline', [step(25), step(50), step(100)], step(50));
    expect(result).to.deep.include({
      charges_per_second: 50,
      create_p50_ms: 2,
      paid_to_webhook_p50_ms: 200,
      statements_per_charge: 3,
      cpu_ms_per_charge: { api: 1, workers: 2, postgres: 3, redis: 0.5, sandbox: 3 },
    });
    expect(result.sweep).to.have.length(3);
  });

  it('gives those of the lowest rate where none is kept up, and says so', () => {
    const result = resultOf('pipeline', [step(25), step(50)], undefined);
    expect(result).to.deep.include({ charges_per_second: 0, most_webhooks_per_second: 50 });
    const report = reportOf([step(25), step(50)], undefined, 'this machine').join('\n');
    expect(report).to.contain('Knee         none of these rates');
    expect(report).to.contain('  2.00 ×    0.001 ms  begin');
  });
});
