import { until } from '../bench/rate.ts';

export interface ApiCall {
  method: 'GET' | 'POST';
  path: string;
  /** Absent: the request needs no credential. */
  key?: string;
  idempotencyKey?: string;
  body?: object;
}

export interface ApiAnswer<Body> {
  status: number;
  json: Body;
}

const TIMEOUT_MS = 12_000;
const AGAIN_MS = 500;
/** Such an answer says nothing about the request itself. */
const isPassing = (status: number) => status >= 500 || status === 429 || status === 408;

/** Calls the API as a merchant's server does: again with the same key until there is an answer. */
export function callApi<Body>(
  apiUrl: string,
  call: ApiCall,
  ended: AbortSignal,
): Promise<ApiAnswer<Body> | undefined> {
  return until({ everyMs: AGAIN_MS, ended }, async () => {
    const answer = await send<Body>(apiUrl, call).catch(() => undefined);
    return answer && !isPassing(answer.status) ? answer : undefined;
  });
}

async function send<Body>(apiUrl: string, call: ApiCall): Promise<ApiAnswer<Body>> {
  const { method, path, key, idempotencyKey, body } = call;
  const response = await fetch(`${apiUrl}/v1${path}`, {
    method,
    headers: {
      ...(key && { Authorization: `Bearer ${key}` }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, json: (await response.json()) as Body };
}
