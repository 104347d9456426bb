import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { networkOf } from '../config/client-network.ts';
import type { Context } from '../config/context.ts';
import { operatorRefusal } from '../config/operators.ts';
import { createReadiness } from '../config/readiness.ts';
import { Problem } from '../domain/shared/problems.ts';

type Answer = { status: number; body: object | string; headers?: Record<string, string> };

/** A probe is a few hundred bytes, sent at once. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8_192,
};
const MAX_CONNECTIONS = 100;

/**
 * `/healthz`, `/readyz`, and `/metrics` for operators: of this process, without database figures.
 */
export function createProbeServer(context: Context, stopping?: AbortSignal): Server {
  const readiness = createReadiness(context, stopping);
  const routes: Record<string, (request: IncomingMessage) => Promise<Answer>> = {
    '/healthz': async () => ({ status: 200, body: { status: 'alive' } }),
    '/readyz': async () => {
      const { isReady, body } = await readiness();
      return { status: isReady ? 200 : 503, body };
    },
    '/metrics': (request) => metrics(context, request),
  };
  const server = createServer(LIMITS, (request, response) => {
    const handle = routes[request.url?.split('?')[0] ?? ''] ?? notFound;
    handle(request)
      .catch((error: Error): Answer => {
        if (error instanceof Problem)
          return { status: error.status, body: `${error.message}\n`, headers: error.headers };
        context.log.error('probe failed', { error: error.stack });
        return { status: 500, body: 'The probe failed.\n' };
      })
      .then((answer) => send(response, answer));
  });
  return Object.assign(server, { maxConnections: MAX_CONNECTIONS });
}

const notFound = async (): Promise<Answer> => ({ status: 404, body: 'Not found.\n' });

/** Wrong credentials count like failed sign-ins from the network. */
async function metrics(
  { operators, limits, metrics: { registry } }: Context,
  { headers, socket }: IncomingMessage,
): Promise<Answer> {
  const network = networkOf(socket.remoteAddress ?? '');
  if (headers.authorization !== undefined) {
    const { allowed } = await limits.take('signInAddress', network);
    if (!allowed) return { status: 429, body: 'Too many requests.\n' };
  }
  if ((await operators.nameFrom(headers.authorization)) === undefined) {
    const { text, challenge } = operatorRefusal;
    return { status: 401, body: text, headers: { 'WWW-Authenticate': challenge } };
  }
  await limits.giveBack('signInAddress', network);
  const text = await registry.metrics();
  return { status: 200, body: text, headers: { 'Content-Type': registry.contentType } };
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers });
  response.end(isText ? body : JSON.stringify(body));
}
