import { expect } from 'chai';
import { type Listening, listen } from '../../config/listen.ts';
import { limitConcurrency } from '../../domain/shared/limit-concurrency.ts';
import { createProbeServer } from '../../workers/probes.ts';
import { rawRequest } from '../support/raw-http.ts';
import { useStack } from '../support/stack.ts';

describe('The probes of a worker process', () => {
  const stack = useStack({ workers: false });
  let probes: Listening;
  before(async () => {
    probes = await listen(createProbeServer(stack.context), 0, '127.0.0.1');
  });
  after(() => probes[Symbol.asyncDispose]());

  const ask = (path: string, authorization?: string, { port } = probes) =>
    rawRequest(`http://127.0.0.1:${port}`, {
      path,
      headers: authorization ? { authorization } : {},
    });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  it('say that it is alive and ready, and no longer ready once it stops', async () => {
    const alive = await ask('/healthz');
    expect([alive.status, alive.json]).to.deep.equal([200, { status: 'alive' }]);
    const ready = await ask('/readyz');
    const checks = { database: true, migrations: true, queues: true };
    expect([ready.status, ready.json]).to.deep.equal([200, { status: 'ready', checks }]);
    const server = createProbeServer(stack.context, AbortSignal.abort());
    await using stopping = await listen(server, 0, '127.0.0.1');
    expect((await ask('/readyz', undefined, stopping)).status).to.equal(503);
  });

  it('show figures of the process to operators only', async () => {
    for (const authorization of [undefined, basic('operator:wrong')]) {
      const refused = await ask('/metrics', authorization);
      expect([refused.status, refused.headers.get('www-authenticate')]).to.deep.equal([
        401,
        'Basic realm="Operators", charset="UTF-8"',
      ]);
    }
    const { status, headers, text } = await ask('/metrics', basic('operator:operator-password'));
    expect([status, headers.get('content-type')]).to.deep.equal([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(text).to.include('# TYPE pcs_job_seconds histogram');
    expect((await ask('/else')).status).to.equal(404);
  });

  it('ask operators to come again while too many passwords are checked', async () => {
    const nameFrom = limitConcurrency(async () => undefined, { running: 0, waiting: 0 });
    const server = createProbeServer({ ...stack.context, operators: { nameFrom } });
    await using busy = await listen(server, 0, '127.0.0.1');
    const { status, headers } = await ask('/metrics', basic('operator:any'), busy);
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '5']);
  });
});
