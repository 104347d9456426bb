import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { deliveryFigures } from '../../../domain/webhooks/delivery/figures.ts';
import { paidCharge } from '../../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { addDelivery, addEndpoint, publish } from '../../support/deliveries.ts';
import { insertRow } from '../../support/insert-row.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { resetStack } from '../../support/reset-stack.ts';
import { startStack, useStack } from '../../support/stack.ts';

const SANDBOX = 'provider="paystack",mode="sandbox"';

const ended = Object.fromEntries(
  ['sent', 'refused', 'exhausted', 'cancelled'].map((status) => [
    `pcs_mails_5m{status="${status}"}`,
    0,
  ]),
);

const basic = (text: string) => ({
  authorization: `Basic ${Buffer.from(text).toString('base64')}`,
});

const operator = basic('operator:operator-password');

describe('/metrics', () => {
  const stack = useStack();
  beforeEach(() => resetStack(stack));

  const scrape = (headers: Record<string, string> = operator, of = stack) =>
    rawRequest(of, { path: '/metrics', headers });
  const samples = async (of = stack) => {
    const lines = (await scrape(operator, of)).text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const pairs = lines.map((line) => /^(.*) (\S+)$/.exec(line)!.slice(1));
    return Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]));
  };

  it('is for operators, in the format of Prometheus', async () => {
    const key = { authorization: `Bearer ${stack.tenant.secret_key_test}` };
    for (const headers of [{}, basic('operator:wrong'), key])
      expect((await scrape(headers)).status).to.equal(401);
    const { status, headers, text } = await scrape();
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
    expect(text)
      .to.include('# TYPE pcs_oldest_due_seconds gauge')
      .and.include('pcs_oldest_due_seconds{queue="webhook-deliver"} 0')
      .and.include('pcs_log_archive_failing 0');
  });

  const tellBackups = (change: string) =>
    stack.context.db.query(
      `do $$ begin execute format('alter database %I ${change}', current_database()); end $$`,
    );

  it('tells the age of the newest backup, where backups tell the database of it', async () => {
    expect(await samples()).not.to.have.property('pcs_backup_age_seconds');
    await tellBackups(`set pcs.backed_up_at = ''${stack.clock().toISOString()}''`);
    stack.clock.advance(60 * MINUTE);
    expect((await samples()).pcs_backup_age_seconds).to.be.within(3_600, 7_200);
    await tellBackups(`set pcs.backed_up_at = ''no time''`);
    expect(await samples()).not.to.have.property('pcs_backup_age_seconds');
    await tellBackups('reset pcs.backed_up_at');
  });

  it('times requests by route, jobs, provider calls and statements, and shows budgets', async () => {
    await paidCharge(stack);
    await rawRequest(stack, { path: '/v1/charges/SV-1' });
    await rawRequest(stack, { path: '/anything/svc_sk_1' });
    await rawRequest(stack, { path: '/v1/charges', method: 'PURGE' });
    const shown = await samples();
    expect(shown).to.include({
      'pcs_http_request_seconds_count{route="/v1/charges",method="other",status="4xx"}': 1,
      'pcs_http_request_seconds_count{route="/v1/charges",method="POST",status="2xx"}': 1,
      'pcs_http_request_seconds_count{route="/v1/charges/:reference",method="GET",status="4xx"}': 1,
      'pcs_http_request_seconds_count{route="other",method="GET",status="4xx"}': 1,
      'pcs_job_seconds_count{queue="charge-create",outcome="completed"}': 1,
      'pcs_job_latency_seconds_count{queue="charge-create",outcome="completed"}': 1,
      'pcs_job_latency_seconds_count{queue="webhook-deliver",outcome="completed"}': 1,
      [`pcs_provider_call_seconds_count{${SANDBOX},operation="create",outcome="answered"}`]: 1,
      [`pcs_breakers{${SANDBOX},state="open"}`]: 0,
      pcs_queue_store_away: 0,
      'pcs_database_connections{state="waiting"}': 0,
    });
    expect(shown[`pcs_provider_budget_left_ratio{${SANDBOX}}`]).to.be.within(0.99, 1);
    const statements = 'pcs_statement_seconds_count{kind="statement",outcome="succeeded"}';
    expect(shown[statements]).to.be.greaterThan(10);
  });

  it('has one address: no other spelling of it, which a proxy may let through, is answered', async () => {
    const { origin } = stack;
    for (const path of [
      ...['/metrics/', '/metrics//', '//metrics', '/METRICS', '/%6detrics', '/metrics%2f'],
      ...['/./metrics', '/docs/../metrics', '/ops/metrics', '/ops', '/ops/'],
    ]) {
      expect((await rawRequest(origin, { path })).status, path).to.equal(404);
    }
    for (const path of ['/ops/queues', '/ops/queues/', '/metrics?x', `${origin}/metrics`])
      expect((await rawRequest(origin, { path })).status, path).to.equal(401);
  });

  it('has every figure that the dashboard and the alerts use', async () => {
    stack.context.metrics.measureProcess();
    await tellBackups(`set pcs.backed_up_at = ''2026-11-23''`);
    const { text } = await scrape();
    await tellBackups('reset pcs.backed_up_at');
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const used = await Promise.all(
      ['alerts.rules.yaml', 'dashboard.json'].map((file) =>
        readFile(new URL(`../../../config/observability/${file}`, import.meta.url), 'utf8'),
      ),
    );
    const names = used.join('\n').match(/\b(pcs|nodejs|process)_\w+/g)!;
    for (const name of new Set(names))
      expect(known).to.include(name.replace(/_(bucket|sum|count)$/, ''));
    const ofMail = [...known].filter((name) => name!.startsWith('pcs_mails_'));
    expect(ofMail).not.to.be.empty;
    for (const name of ofMail) expect(used[1], 'the dashboard').to.include(name!);
  });

  it('still shows what the process counted while the database is away', async () => {
    const { db } = stack.context;
    const { query } = db;
    db.query = () => Promise.reject(new Error('away'));
    const { status, text } = await scrape();
    db.query = query;
    expect(status).to.equal(200);
    expect(text).to.include('pcs_http_request_seconds').and.not.include('pcs_oldest_due_seconds');
  });

  it('counts tries by outcome, and shows the duration of the first and the failing endpoints', async () => {
    const refusing = await addEndpoint(stack, `${stack.sandbox.url}/nowhere`);
    const dead = await addEndpoint(stack);
    await publish(stack);
    await stack.settle();
    const shown = await samples();
    expect(shown).to.include({
      'pcs_webhook_tries_5m{outcome="delivered"}': 1,
      'pcs_webhook_tries_5m{outcome="refused"}': 1,
      'pcs_webhook_tries_5m{outcome="unanswered"}': 1,
      'pcs_webhook_deliveries_5m{status="delivered"}': 1,
      'pcs_webhook_deliveries_5m{status="exhausted"}': 0,
      [`pcs_webhook_failure_ratio_5m{endpoint="${refusing}"}`]: 1,
      [`pcs_webhook_failure_ratio_5m{endpoint="${dead}"}`]: 1,
    });
    expect(shown['pcs_webhook_first_try_seconds_5m{quantile="0.99"}']).to.be.within(0, 1);
    stack.clock.advance(6 * MINUTE);
    expect(await samples()).to.include({ 'pcs_webhook_deliveries_5m{status="delivered"}': 0 });
  });

  it('counts tries from the newest of them where there are too many to read', async () => {
    const now = stack.clock();
    await stack.sql`insert into delivery_tries (delivery_id, endpoint_id, try, at, duration_ms, status_code)
       select 'dlv_' || n, 'whe', 1, ${now}::timestamptz - n * interval '1 second', 1,
         case when n % 4 = 0 then 500 else 200 end
       from generate_series(1, 300) n`;
    const since = new Date(now.getTime() - 5 * MINUTE);
    const countsOf = async (maxRead: number) => {
      const { tries } = await deliveryFigures(stack.context.db, since, now, maxRead);
      return Object.fromEntries(tries.map(({ outcome, tries: count }) => [outcome, count]));
    };
    const all = { delivered: 225, refused: 75, unanswered: 0 };
    expect(await countsOf(1_000)).to.deep.equal(all);
    expect(await countsOf(100)).to.deep.equal(all);
  });

  it('counts mails by how they ended, and those that wait for another try', async () => {
    const none = {
      ...ended,
      'pcs_mails_waiting{reason="failure"}': 0,
      pcs_mails_oldest_waiting_seconds: 0,
    };
    expect(await samples()).to.include(none);
    const now = stack.clock();
    const [hourAgo, later] = [-HOUR, HOUR].map((ms) => new Date(now.getTime() + ms));
    const mail = (row: object) =>
      insertRow(stack, 'mails', {
        ...{ id: newId('eml', now), tenant_id: 'ten', mode: 'live', kind: 'receipt' },
        ...{ subject_id: 'txn', expires_at: later, created_at: now, ...row },
      });
    const waits = { status: 'pending', tries: 2, due_at: later };
    const reminder = { ...waits, kind: 'payment_link_reminder' };
    await mail({ status: 'sent', finished_at: now });
    await mail({ status: 'refused', finished_at: now });
    await mail({ ...waits, created_at: hourAgo });
    await mail({ ...reminder, snoozes: 1, created_at: new Date(0) });
    await mail({ ...reminder, tries: 0 });
    const shown = await samples();
    expect(shown).to.include({
      ...ended,
      'pcs_mails_5m{status="sent"}': 1,
      'pcs_mails_5m{status="refused"}': 1,
      'pcs_mails_waiting{reason="failure"}': 1,
      'pcs_mails_waiting{reason="limit"}': 1,
    });
    expect(shown.pcs_mails_oldest_waiting_seconds).to.be.within(3_600, 3_660);
    stack.clock.advance(6 * MINUTE);
    expect(await samples()).to.include(ended);
  });

  it('shows how long the oldest due row has waited', async () => {
    await using still = await startStack({ workers: false });
    const delivery = await addDelivery(still, { status: 'pending' });
    await still.sql`update deliveries set due_at = ${still.clock()} where id = ${delivery}`;
    still.clock.advance(90 * SECOND);
    const shown = await samples(still);
    expect(shown['pcs_oldest_due_seconds{queue="webhook-deliver"}']).to.be.within(90, 95);
  });
});
