import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Logger } from '../../config/logger.ts';
import { openTracing } from '../../config/observability/open-tracing.ts';
import { checkoutIdOf, uuidHexOf } from '../../domain/shared/ids.ts';
import { freePort } from '../../scripts/local/free-port.ts';
import { readSources } from '../support/architecture.ts';
import { newCharge } from '../support/charges.ts';
import { rawRequest } from '../support/raw-http.ts';
import { type Stack, startStack } from '../support/stack.ts';
import {
  type ReceivedSpan,
  startTraceCollector,
  type TraceCollector,
} from '../support/trace-collector.ts';
import { until } from '../support/until.ts';

describe('Traces', () => {
  let collector: TraceCollector;
  let stack: Stack;
  before(async () => {
    collector = await startTraceCollector();
    const url = `${collector.url}/v1/traces`;
    const headers = { 'api-key': 'secret' };
    const tracing = { url, headers, serviceName: 'test', ratio: 1 };
    stack = await startStack({ workers: false, env: { tracing } });
  });
  after(async () => {
    await stack[Symbol.asyncDispose]();
    await collector[Symbol.asyncDispose]();
  });

  const named = (spans: readonly ReceivedSpan[], name: string) =>
    spans.find((span) => span.name === name)!;

  it('join the request, jobs, provider calls and the webhook of a charge, though its job is lost', async () => {
    const charge = await newCharge(stack);
    await stack.context.dispatcher.idle();
    for (const queue of stack.context.queues.all.values()) await queue.obliterate({ force: true });
    stack.startWorkers();
    await stack.pass(60_000);
    await stack.control.pay(charge.reference);
    await stack.settle();

    const traceId = uuidHexOf(charge.id);
    const ofCharge = () => collector.spans.filter((span) => span.traceId === traceId);
    await until('the webhook to be traced', async () =>
      ofCharge().some(({ name }) => name === 'webhook-deliver'),
    );
    const spans = ofCharge();
    const root = named(spans, 'POST /v1/charges');
    expect(root.parentSpanId ?? '').to.equal('');
    expect(root.attributes).to.include({ status: 201, tenant_id: stack.tenant.tenant_id });
    const children: [job: string, call: string][] = [
      ['charge-create', 'paystack create'],
      ['notification-process', 'paystack verify'],
      ['webhook-deliver', 'webhook try'],
    ];
    for (const [job, call] of children) {
      expect(named(spans, job).parentSpanId, job).to.equal(root.spanId);
      expect(checkoutIdOf(String(named(spans, job).attributes.subject))).to.equal(charge.id);
      const calls = spans.filter(({ parentSpanId }) => parentSpanId === named(spans, job).spanId);
      expect(calls.map(({ name, kind }) => [name, kind])).to.deep.include([call, 3]);
    }
    expect(named(spans, 'webhook try').attributes).to.include({ status: 200 });
    const [link] = named(spans, 'notification-process').links;
    await until('the notification to be traced', async () =>
      collector.spans.some(
        ({ name, spanId, traceId: id }) =>
          name.startsWith('POST /notifications') && spanId === link!.spanId && id === link!.traceId,
      ),
    );
  });

  it('of other requests have the id of the request, and hold their provider calls', async () => {
    const charge = await newCharge(stack);
    await stack.settle();
    const { headers } = await rawRequest(stack, {
      path: `/v1/charges/${charge.reference}`,
      headers: { authorization: `Bearer ${stack.tenant.secret_key_test}` },
    });
    const traceId = uuidHexOf(headers.get('request-id')!);
    const ofRequest = () => collector.spans.filter((span) => span.traceId === traceId);
    await until('the request to be traced', async () => ofRequest().length >= 2);
    const root = named(ofRequest(), 'GET /v1/charges/:reference');
    expect(named(ofRequest(), 'paystack verify').parentSpanId).to.equal(root.spanId);
  });

  it('say which error ended a span, and nothing of what a provider said of a payer', async () => {
    const failing = stack.context.tracing.inSpan({ name: 'refused call', attributes: {} }, () =>
      Promise.reject(new RangeError('Customer ada@mail.example is not known')),
    );
    expect(await failing.catch(({ name }: Error) => name)).to.equal('RangeError');
    await until('the span', async () =>
      collector.spans.some(({ name }) => name === 'refused call'),
    );
    const span = JSON.stringify(named(collector.spans, 'refused call'));
    expect(span).to.include('RangeError').and.not.include('ada@mail.example');
  });

  it('are sent with the headers that the collector wants', () => {
    expect(collector.headers[0]).to.include({ path: '/v1/traces', 'api-key': 'secret' });
  });

  it('that a collector does not take delay nothing, and are reported', async () => {
    const warned: object[] = [];
    const log = { warn: (...line: object[]) => warned.push(line) } as unknown as Logger;
    const url = `http://127.0.0.1:${await freePort()}/v1/traces`;
    const tracing = { url, headers: {}, serviceName: 'test', ratio: 1 };
    const startedMs = performance.now();
    await using opened = await openTracing(tracing, log);
    expect(await opened.inSpan({ name: 'work' }, async () => 7)).to.equal(7);
    await opened[Symbol.asyncDispose]();
    expect(performance.now() - startedMs).to.be.below(10_000);
    expect(JSON.stringify(warned)).to.include('traces not sent');
  });

  it('load their libraries only where they are sent somewhere', async () => {
    const sources = await readSources(fileURLToPath(new URL('../..', import.meta.url)));
    const importing = (pattern: RegExp) =>
      sources
        .filter(({ path, text }) => !path.startsWith('test/') && pattern.test(text))
        .map(({ path }) => path);
    expect(importing(/from '@opentelemetry\//)).to.deep.equal([
      'config/observability/open-telemetry.ts',
    ]);
    expect(importing(/from '[./]+open-telemetry\.ts'/)).to.deep.equal([]);
    expect(importing(/await import\('\.\/open-telemetry\.ts'\)/)).to.deep.equal([
      'config/observability/open-tracing.ts',
    ]);
  });
});
