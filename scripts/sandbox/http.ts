import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';

/** Serves one API, given an address below its name. */
export type Api = (
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
) => Promise<void>;

interface Route {
  method: 'get' | 'post' | 'put';
  /** `:name` stands for any one part of an address. */
  path: string;
}

type Found<Of> = { route: Of; params: Record<string, string>; query: Record<string, unknown> };

/** Finds the first route of a request. Unreadable: a part of the path is not well encoded. */
export function createRouter<Of extends Route>(routes: readonly Of[]) {
  const patterns = routes.map((route) => ({
    route,
    names: [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!),
    pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '([^/]+)')}/?$`, 'i'),
  }));
  return (request: IncomingMessage, address: string): Found<Of> | 'unreadable' | undefined => {
    const [path = '', query = ''] = address.split(/\?(.*)/s);
    const method = request.method === 'HEAD' ? 'get' : request.method!.toLowerCase();
    for (const { route, names, pattern } of patterns) {
      const parts = route.method === method ? pattern.exec(path) : null;
      if (!parts) continue;
      const params = names.map((name, i) => [name, decode(parts[i + 1]!)] as const);
      if (params.some(([, part]) => part === undefined)) return 'unreadable';
      return { route, params: Object.fromEntries(params), query: parseQuery(query) } as Found<Of>;
    }
    return undefined;
  };
}

export function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** A body of at most so many bytes; undefined: it is longer. */
export async function readBody(request: IncomingMessage, limitBytes: number) {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes <= limitBytes) parts.push(part);
  }
  return bytes > limitBytes ? undefined : Buffer.concat(parts);
}

/** What stands in a request's body, or why it cannot be read. */
export type JsonBody = { value: object | undefined } | 'unreadable' | 'too large';

/** Reads a body, which must be an object or a list; undefined where there is none. */
export async function readJson(request: IncomingMessage, limitBytes: number): Promise<JsonBody> {
  const bytes = await readBody(request, limitBytes).catch(() => 'unreadable' as const);
  if (bytes === undefined) return 'too large';
  if (bytes.length === 0) return { value: undefined };
  if (request.headers['content-encoding']) return 'unreadable';
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null ? { value } : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** Answers with JSON, unless the client has gone. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}) {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  send(response, status, JSON.stringify(body), { ...type, ...headers });
}

/** Answers with text. */
export function send(response: ServerResponse, status: number, text: string, headers: object) {
  if (response.headersSent || response.destroyed) return;
  const length = { 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...length, ...headers }).end(text);
}
