import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { listen } from '../../config/listen.ts';
import { runUntilStopped, untilAborted } from '../../config/main.ts';
import type { Arrival } from './receivers.ts';

/** How the body of every event begins. */
const BEGINNING = /^\{"id":"(\w+)","type":"[\w.]+","created_at":"([^"]+)"/;
/** Of its charge: parsing all of the body would cost more. */
const REFERENCE = /"reference":"(SV-\d+)"/;

/**
 * Merchants' webhook receivers, `ENDPOINTS` of them, each on a port of its own as they are on hosts
 * of their own. `GET /` answers their ports, `GET /arrivals` what arrived since the last such
 * request, `POST /hang` makes the first of them answer nothing, `POST /answer` ends that. It does
 * as little as it can: merchants' machines are not what is measured, and here they share ours.
 */
await runUntilStopped(async (stopped) => {
  await using open = new AsyncDisposableStack();
  const seen = new Set<string>();
  let arrivals: Arrival[] = [];
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
    ports.push(open.use(await listen(createServer(receive(endpoint)), 0, '127.0.0.1')).port);

  const routes: Record<string, () => object> = {
    'GET /': () => ({ ports }),
    'GET /arrivals': () => {
      const taken = { arrivals };
      arrivals = [];
      return taken;
    },
    'POST /hang': () => {
      unanswered ??= [];
      return {};
    },
    'POST /answer': () => {
      unanswered?.forEach(answer);
      unanswered = undefined;
      return {};
    },
  };
  const control: RequestListener = ({ method, url }, response) =>
    response.end(JSON.stringify(routes[`${method} ${url}`]!()));
  open.use(await listen(createServer(control), Number(process.env.PORT), '127.0.0.1'));
  await untilAborted(stopped);
});

function answer(response: ServerResponse): void {
  response.setHeader('content-type', 'application/json').end('{"received":true}');
}
