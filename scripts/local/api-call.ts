/** A call of a merchant's server, or of somebody at the sandbox's control side. */
export interface ApiCall {
  method?: 'GET' | 'POST';
  path: string;
  /** Absent: the request needs no credential. */
  key?: string;
  idempotencyKey?: string;
  body?: object;
}

export type ApiAnswer<Body> = { status: number; json: Body };

const TIMEOUT_MS = 12_000;

export async function callOnce<Body>(
  baseUrl: string,
  { path, key, idempotencyKey, body, method = body ? 'POST' : 'GET' }: ApiCall,
): Promise<ApiAnswer<Body>> {
  const response = await fetch(`${baseUrl}${path}`, {
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

/** The body of an answer 2xx; throws with any other. */
export async function expectAnswer<Body>(baseUrl: string, call: ApiCall): Promise<Body> {
  const { status, json } = await callOnce<Body>(baseUrl, call);
  if (status < 300) return json;
  throw new Error(`${baseUrl}${call.path} answered ${status}: ${JSON.stringify(json)}`);
}
