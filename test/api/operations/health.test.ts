import { expect } from 'chai';
import { createApiServer } from '../../../api/server.ts';
import { listen } from '../../../config/listen.ts';
import { describeOnEachQueue } from '../../support/each-queue.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { useStack } from '../../support/stack.ts';
import { statementsOf } from '../../support/statements-of.ts';
import { until } from '../../support/until.ts';

describeOnEachQueue('The health of the service', (queues) => {
  const stack = useStack({ queues, workers: false });

  it('/healthz answers 200 without a credential', async () => {
    const answer = await rawRequest(stack, { path: '/healthz' });
    expect([answer.status, answer.json]).to.deep.equal([200, { status: 'alive' }]);
  });

  it('/readyz answers 200 with the result of each check', async () => {
    const answer = await rawRequest(stack, { path: '/readyz' });
    const checks = { database: true, migrations: true, queues: true };
    expect([answer.status, answer.json]).to.deep.equal([200, { status: 'ready', checks }]);
  });

  it('/readyz answers 503 once the process stops, and /healthz 200 until it has', async () => {
    const server = createApiServer(stack.context, AbortSignal.abort());
    await using listening = await listen(server, 0);
    const stopping = `http://127.0.0.1:${listening.port}`;
    const ready = await rawRequest(stopping, { path: '/readyz' });
    expect([ready.status, ready.json]).to.deep.equal([503, { status: 'stopping' }]);
    expect((await rawRequest(stopping, { path: '/healthz' })).status).to.equal(200);
  });

  it('/readyz asks the stores once, however many ask at the same time', async () => {
    const many = () =>
      Promise.all(Array.from({ length: 50 }, () => rawRequest(stack, { path: '/readyz' })));
    const asked = (await statementsOf(stack, many)).filter((text) => text === 'select 1');
    expect(asked).to.have.length.at.most(1);
  });

  it('is asked without a line in the log above level debug, unless it is not good', async () => {
    const lines: string[] = [];
    const note =
      (level: string) =>
      (_message: string, { path, status }: Record<string, unknown>) =>
        void lines.push(`${level} ${path} ${status}`);
    const noted = { debug: note('debug'), info: note('info') };
    const log = { ...stack.context.log, ...noted } as unknown as typeof stack.context.log;
    const context = { ...stack.context, log };
    const authorization = `Basic ${Buffer.from('operator:operator-password').toString('base64')}`;
    for (const stopping of [new AbortController().signal, AbortSignal.abort()]) {
      await using listening = await listen(createApiServer(context, stopping), 0);
      const at = `http://127.0.0.1:${listening.port}`;
      for (const path of ['/healthz', '/readyz', '/metrics'])
        await rawRequest(at, { path, headers: { authorization } });
      await rawRequest(at, { path: '/metrics' });
    }
    expect(lines).to.deep.equal([
      ...['debug /healthz 200', 'debug /readyz 200', 'debug /metrics 200', 'info /metrics 401'],
      ...['debug /healthz 200', 'info /readyz 503', 'debug /metrics 200', 'info /metrics 401'],
    ]);
  });

  it('/readyz answers 503 while a migration is pending', async () => {
    const { db } = stack.context;
    await db.query('alter table mikro_orm_migrations rename to migrations_elsewhere');
    const ready = () => rawRequest(stack, { path: '/readyz' });
    await until('what was ready to be forgotten', async () => (await ready()).status === 503);
    const answer = await ready();
    await db.query('drop table if exists mikro_orm_migrations');
    await db.query('alter table migrations_elsewhere rename to mikro_orm_migrations');
    expect([answer.status, answer.json.checks.migrations]).to.deep.equal([503, false]);
  });
});
