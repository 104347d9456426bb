import type { IncomingMessage, ServerResponse } from 'node:http';

/** Serves one API, given an address below its name. */
export type Api = (
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
) => Promise<void>;

/** What stands in a request's body: undefined where there is none, or why it cannot be read. */
export type JsonBody = { value: unknown } | 'unreadable' | 'too large';

/** Reads a body of at most so many bytes, which must be an object or a list. */
export function readJson(request: IncomingMessage, limitBytes: number): Promise<JsonBody> {
  if (!hasBody(request)) return Promise.resolve({ value: undefined });
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= limitBytes) parts.push(part);
    });
    request.on('end', () => {
      if (bytes > limitBytes) resolve('too large');
      else if (request.headers['content-encoding']) resolve('unreadable');
      else resolve(parse(parts.length === 1 ? parts[0]! : Buffer.concat(parts)));
    });
    request.on('error', () => resolve('unreadable'));
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

function parse(bytes: Buffer): JsonBody {
  const text = bytes.toString();
  if (text === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { value } : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** Answers with JSON, unless the client has gone. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
