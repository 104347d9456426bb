import { expect } from 'chai';
import { rateLimits } from '../../../config/limits/rate-limits.ts';
import { queueNames } from '../../../domain/jobs.ts';
import { describeOnEachQueue } from '../../support/each-queue.ts';
import { type RawRequest, rawRequest } from '../../support/raw-http.ts';
import { startStack, useStack } from '../../support/stack.ts';

const basic = (text: string) => ({
  authorization: `Basic ${Buffer.from(text).toString('base64')}`,
});
const operator = basic('operator:operator-password');

describeOnEachQueue('Bull Board at /ops/queues', (queues) => {
  const stack = useStack({ queues, workers: false });
  before(async () => {
    await stack.api.post('/charges', { amount_kobo: 10_000, email: 'ada@example.com' });
    await stack.context.dispatcher.idle();
  });

  const call = (path: string, request: Partial<RawRequest> = {}) =>
    rawRequest(stack, { path: `/ops/queues${path}`, headers: operator, ...request });

  it('answers 401 without the operator’s credentials, with a challenge', async () => {
    const wrong = ['operator:', 'operator:wrong', 'root:operator-password', 'operator-password'];
    const others = [`Bearer ${stack.tenant.secret_key_test}`, 'Basic'];
    const sent = [
      {},
      ...[...wrong, ''].map(basic),
      ...others.map((authorization) => ({ authorization })),
    ];
    const challenge = 'Basic realm="Operators", charset="UTF-8"';
    for (const headers of sent as Record<string, string>[])
      for (const path of ['', '/', '/api/queues', '/static/js/x.js', '/nothing']) {
        const refused = await call(path, { headers });
        expect(refused.status).to.equal(401);
        expect(refused.headers.get('www-authenticate')).to.equal(challenge);
        expect(refused.text).not.to.include('charge-create');
      }
  });

  it('cannot be framed and names no software', async () => {
    const page = await call('');
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.headers.get('x-powered-by')).to.equal(null);
    expect(page.headers.get('content-security-policy')).to.include("frame-ancestors 'none'");
    expect(page.headers.get('cache-control')).to.equal('no-store');
  });

  it('lists every queue with its waiting jobs', async () => {
    const { json } = await call('/api/queues');
    const waiting = Object.fromEntries(
      json.queues.map(({ name, counts }: any) => [name, counts.waiting]),
    );
    const none = Object.fromEntries(queueNames.map((name) => [name, 0]));
    expect(waiting).to.deep.equal({ ...none, 'charge-create': 1 });
    expect(json.queues.every(({ readOnlyMode }: any) => readOnlyMode)).to.equal(true);
  });

  it('shows a job, which holds ids and nothing else', async () => {
    const listed = await call('/api/queues?activeQueue=charge-create&status=waiting&page=1');
    const [job] = listed.json.queues.find(({ name }: any) => name === 'charge-create').jobs;
    const opened = await call(`/api/queues/charge-create/${job.id}`);
    expect(opened.status, opened.text).to.equal(200);
    const [attempt] = await stack.sql`select id, connection_id from attempts`;
    const { name, data } = opened.json.job;
    expect(name).to.equal(attempt!.connection_id);
    const [groups, rows] = [[attempt!.connection_id], [attempt!.id]];
    expect(data).to.deep.equal({ groups, rows, isSwept: false });
  });

  it('is read-only: every method but GET and HEAD is refused', async () => {
    const queue = stack.context.queues.all.get('charge-create')!;
    const [{ id } = { id: '' }] = await queue.getJobs();
    const targets = [
      ['PUT', '/api/queues/charge-create/obliterate'],
      ['PUT', `/api/queues/charge-create/${id}/retry/failed`],
      ['POST', '/api/queues/charge-create/add'],
      ['PATCH', `/api/queues/charge-create/${id}/update-data`],
      ['DELETE', `/api/queues/charge-create/${id}`],
      ['POST', ''],
    ];
    const body = JSON.stringify({ name: 'charge-create', data: {}, options: {} });
    const headers = { ...operator, 'content-type': 'application/json' };
    for (const [method, path] of targets as [string, string][]) {
      const refused = await call(path, { method, headers, body });
      expect(refused.status, `${method} ${path}`).to.equal(405);
      expect(refused.headers.get('allow')).to.equal('GET, HEAD');
    }
    expect(await queue.getJobCounts('waiting')).to.deep.equal({ waiting: 1 });
    expect(await queue.isPaused()).to.equal(false);
  });
});

describe('Bull Board', () => {
  it('blocks an address after too many wrong passwords, and no other address', async () => {
    const env = { trustProxy: 'loopback', rateLimits };
    await using stack = await startStack({ workers: false, env });
    const call = async (address: string, headers: Record<string, string>) => {
      const sent = { ...headers, 'x-forwarded-for': address };
      return (await rawRequest(stack, { path: '/ops/queues', headers: sent })).status;
    };
    for (let n = 0; n < 60; n++) expect(await call('10.0.0.1', operator)).to.equal(200);
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, n) => call('10.0.0.1', basic(`operator:${n}`))),
    );
    expect(guesses.sort()).to.deep.equal([...Array(50).fill(401), ...Array(10).fill(429)]);
    expect(await call('10.0.0.1', operator)).to.equal(429);
    expect(await call('10.0.0.1', {}), 'a browser that asks what it needs').to.equal(401);
    expect(await call('10.0.0.2', operator)).to.equal(200);
  });

  it('is closed where no operator password is set', async () => {
    await using stack = await startStack({ workers: false, env: { operator: null } });
    for (const headers of [{}, operator, basic('operator:'), basic(':'), basic('null:null')]) {
      const refused = await rawRequest(stack, { path: '/ops/queues', headers });
      expect(refused.status).to.equal(401);
    }
  });
});
