import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../../config/listen.ts';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** OTLP's number: 1 internal, 2 server, 3 client. */
  kind: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
}

export interface TraceCollector extends AsyncDisposable {
  url: string;
  spans: ReceivedSpan[];
  headers: NodeJS.Dict<string | string[]>[];
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = [];
  const headers: TraceCollector['headers'] = [];
  const server = createServer(async (request, response) => {
    headers.push({ ...request.headers, path: request.url });
    spans.push(...spansIn((await json(request)) as Export));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  const listening = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${listening.port}`,
    spans,
    headers,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

interface Export {
  resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
}

interface SentSpan extends Omit<ReceivedSpan, 'attributes' | 'links'> {
  attributes: { key: string; value: Record<string, unknown> }[];
  links?: ReceivedSpan['links'];
}

const spansIn = ({ resourceSpans }: Export): ReceivedSpan[] =>
  resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ attributes, links = [], ...span }) => ({
      ...span,
      links,
      attributes: Object.fromEntries(
        attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
      ),
    }));
