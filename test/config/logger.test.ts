import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createLogger } from '../../config/logger.ts';

describe('The log', () => {
  it('writes ten lines a second of one failure, and then says how many it left out', async () => {
    let nowMs = 0;
    const stream = new PassThrough();
    const log = createLogger('info', stream, () => nowMs);
    for (let request = 1; request <= 1_000; request++) log.error('request failed', { request });
    for (let charge = 1; charge <= 20; charge++) log.info('charge created', { charge });
    log.warn('sweep failed', { queue: 'charge-check' });
    nowMs += 1_000;
    log.error('request failed', { request: 1_001 });
    log.error('request failed', { request: 1_002 });
    stream.end();
    const lines = (await text(stream)).trim().split('\n');
    const seen = lines.map((line) => JSON.parse(line));
    const of = (message: string) => seen.filter((line) => line.message === message);
    expect(of('charge created')).to.have.length(20);
    expect(of('sweep failed')).to.have.length(1);
    const failed = of('request failed').map(({ request, unlogged }) => ({ request, unlogged }));
    expect(failed).to.have.length(12);
    expect(failed.slice(-3)).to.deep.equal([
      { request: 10, unlogged: undefined },
      { request: 1_001, unlogged: 990 },
      { request: 1_002, unlogged: undefined },
    ]);
  });
});
