import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  DiagLogLevel,
  diag,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { uuidHexOf } from '../../domain/shared/ids.ts';
import { withDeadline } from '../deadline.ts';
import type { Logger } from '../logger.ts';
import type { Attributes, NewSpan, TracedRequest, Tracing, TracingSettings } from './tracing.ts';

const MAX_WAITING = 8_192;
/** A collector that takes longer keeps no process from ending. */
const ANSWERS_WITHIN_MS = 2_000;
const SEND_EVERY_MS = 1_000;
const CLOSE_WITHIN_MS = 2_000;

export function createTracing(
  { url, headers, serviceName, ratio }: TracingSettings,
  log: Logger,
): Tracing {
  const warn = (message: string) => void log.warn('traces not sent', { error: message });
  diag.setLogger({ ...silent, error: warn }, { logLevel: DiagLogLevel.ERROR });
  const ids = createIds();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    // By the trace id alone, so that every process keeps the same traces whole.
    sampler: new TraceIdRatioBasedSampler(ratio),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url, headers, timeoutMillis: ANSWERS_WITHIN_MS }),
        maxQueueSize: MAX_WAITING,
        scheduledDelayMillis: SEND_EVERY_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('payment-collection-service');
  const active = new AsyncLocalStorage<Context>();

  return {
    isOn: true,
    async inSpan(options, work) {
      const parent = options.subject ? within(rootOf(options.subject)) : active.getStore();
      const span = tracer.startSpan(options.name, optionsOf(options), parent ?? ROOT_CONTEXT);
      const attributes: Attributes = {};
      try {
        return await active.run(trace.setSpan(ROOT_CONTEXT, span), () => work(attributes));
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
        throw error;
      } finally {
        span.setAttributes(attributes).end();
      }
    },
    inRequest: (requestId, work) => active.run(within(rootOf(requestId)), work),
    recordRequest({ requestId, created, name, durationMs, failed, attributes }: TracedRequest) {
      ids.useNext(rootOf(created ?? requestId));
      const startTime = Date.now() - durationMs;
      const span = tracer.startSpan(
        name,
        {
          kind: SpanKind.SERVER,
          startTime,
          attributes: { ...attributes, request_id: requestId, subject: created },
        },
        ROOT_CONTEXT,
      );
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    async [Symbol.asyncDispose]() {
      const sent = withDeadline(provider.shutdown(), CLOSE_WITHIN_MS);
      await sent.catch((error: Error) => warn(error.message));
    },
  };
}

const nothing = () => {};
const silent = { error: nothing, warn: nothing, info: nothing, debug: nothing, verbose: nothing };

function optionsOf({ isCall, subject, links = [], attributes = {} }: NewSpan) {
  return {
    kind: isCall ? SpanKind.CLIENT : SpanKind.INTERNAL,
    links: links.map((id): Link => ({ context: rootOf(id) })),
    attributes: { ...attributes, subject },
  };
}

/** The first span of a row's trace: both ids are made of the row's, which holds a UUID. */
function rootOf(id: string): SpanContext {
  const uuid = uuidHexOf(id);
  return { traceId: uuid, spanId: uuid.slice(16), traceFlags: TraceFlags.SAMPLED };
}

function within(parent: SpanContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}

/** Random ids, except for a span that is given its own. */
function createIds() {
  const random = new RandomIdGenerator();
  let next: SpanContext | undefined;
  return {
    useNext(context: SpanContext) {
      next = context;
    },
    // The tracer asks for the span's id first, both while it starts a span.
    generateSpanId: () => next?.spanId ?? random.generateSpanId(),
    generateTraceId() {
      const traceId = next?.traceId ?? random.generateTraceId();
      next = undefined;
      return traceId;
    },
  };
}
