import { createServer, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from '../config/context.ts';
import { NIL_TENANT_ID, newId } from '../domain/shared/ids.ts';
import { Problem } from '../domain/shared/problems.ts';
import { createApp } from './app.ts';
import { replyOf } from './http/reply.ts';

/** Named as Node does; times are in ms. */
export interface ServerLimits {
  headersTimeout: number;
  requestTimeout: number;
  /** How often these two are looked at. */
  connectionsCheckingInterval: number;
  keepAliveTimeout: number;
  /** A client may neither send nor take anything for so long, while its answer is written. */
  timeout: number;
  /** Further connections are closed at once. */
  maxConnections: number;
}

const serverLimits: ServerLimits = {
  headersTimeout: 10_000,
  // 5 MB, the longest body, over a line of 2 Mbit/s.
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  // Load balancers usually keep idle connections for 60 s. The load balancer must close first:
  // otherwise it may send a request into a connection that the server has just closed.
  keepAliveTimeout: 65_000,
  // Longer than any answer takes to begin.
  timeout: 120_000,
  // Each costs some 20 kB, and a file descriptor.
  maxConnections: 10_000,
};

/**
 * Answers requests that Node cannot parse in the API's shape. Once `stopping` is aborted, it tells
 * load balancers to turn away.
 */
export function createApiServer(context: Context, stopping?: AbortSignal, limits = serverLimits) {
  const { maxConnections, timeout, ...options } = limits;
  const server = createServer(options, createApp(context, stopping));
  Object.assign(server, { maxConnections, timeout });
  server.on('drop', () => context.log.warn('connection dropped: too many are open'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseUnreadable(context, error, socket),
  );
  return server;
}

function refuseUnreadable(
  { clock, log }: Context,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  // Node's own rule: nobody is there to read an answer, or part of one is sent and a second would
  // corrupt it.
  const current = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent)
    return void socket.destroy();
  const requestId = current?.getHeader('Request-Id') ?? newId('req', clock());
  // A request that broke off in its body has its own log line.
  if (!current)
    log.info('request', { request_id: requestId, outcome: 'unreadable', error: error.code });
  const { status, body } = replyOf(problemOf(error.code));
  const text = JSON.stringify(body);
  const headers = {
    Connection: 'close',
    'Request-Id': requestId,
    'X-Service-Tenant': NIL_TENANT_ID,
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(text),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'));
}

function problemOf(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(
        'payload_too_large',
        'The address and the headers together are larger than 16 kB.',
        { status: 431 },
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('validation_failed', 'The request did not arrive in time.', {
        status: 408,
        fields: {},
      });
    default:
      return new Problem('validation_failed', 'This is not a readable HTTP request.', {
        status: 400,
        fields: {},
      });
  }
}
