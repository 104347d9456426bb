import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { listen } from '../../config/listen.ts';
import type { Arrival } from './receivers.ts';
import { serve } from './serve.ts';

const BEGINNING = /^\{"id":"(\w+)","type":"[\w.]+","created_at":"([^"]+)"/;
/** Parsing all of the body for the charge's reference would cost more. */
const REFERENCE = /"reference":"(SV-\d+)"/;

/** Merchants' webhook receivers. They do as little as they can: they share our machine. */
await serve(async (scope) => {
  const seen = new Set<string>();
  const arrivals: Arrival[] = [];
  let unanswered: ServerResponse[] | undefined;

  const receive =
    (endpoint: number): RequestListener =>
    (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        const [, id = '', createdAt = ''] = BEGINNING.exec(body) ?? [];
        const [, reference = ''] = REFERENCE.exec(body) ?? [];
        const atMs = Date.now();
        const sinceEventMs = atMs - Date.parse(createdAt);
        if (!seen.has(id)) arrivals.push({ endpoint, reference, atMs, sinceEventMs });
        seen.add(id);
        if (endpoint === 0 && unanswered) unanswered.push(response);
        else answer(response);
      });
    };
  const ports: number[] = [];
  for (let endpoint = 0; endpoint < Number(process.env.ENDPOINTS); endpoint++)
    ports.push(scope.use(await listen(createServer(receive(endpoint)), 0, '127.0.0.1')).port);

  const routes: Record<string, () => unknown> = {
    'GET /': () => ports,
    'GET /arrivals': () => arrivals.splice(0),
    'POST /hang': () => {
      unanswered = [];
    },
    'POST /answer': () => {
      unanswered?.forEach(answer);
      unanswered = undefined;
    },
  };
  return ({ method, url }, response) =>
    response.end(JSON.stringify(routes[`${method} ${url}`]!() ?? {}));
});

function answer(response: ServerResponse): void {
  response.setHeader('content-type', 'application/json').end('{"received":true}');
}
