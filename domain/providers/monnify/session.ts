import { callProvider, type ProviderAnswer, type ProviderRequest } from '../http.ts';
import { type Account, type CallOptions, ProviderError } from '../provider.ts';
import { bodyOf, errorOf, messageOf, refusalOf } from './answers.ts';

/** A token is not used in its last minute: it must not run out on its way. */
const SPARE_MS = 60_000;

interface Token {
  value: string;
  /** No new call is begun with it from then on, by the account's clock. */
  staleAt: number;
}

/** The time-out of one call, however many requests it takes. */
export interface Patience extends CallOptions {
  signal: AbortSignal;
}

type SessionRequest = Pick<ProviderRequest, 'method' | 'body' | 'stage'> & { path: string };

/** Calls to one account with its access token. */
export interface Session {
  /**
   * Calls with the token in hand, or with a new one. A 401 is answered by one login and one more try. A login that fails means that
   * nothing happened: `refused` when the keys are, else `limited` or `retryable`.
   */
  call(request: SessionRequest, patience: Patience): Promise<ProviderAnswer>;
  /** Logs in, whatever is in hand. Throws `refused` when Monnify does not accept the keys. */
  logIn(stage: string, patience: Patience): Promise<void>;
}

export function patienceOf({ timeoutMs }: CallOptions): Patience {
  return { timeoutMs, signal: AbortSignal.timeout(timeoutMs) };
}

/** Opens a session; the first call logs in. Calls at one time share one login. */
export function openSession(account: Account): Session {
  let held: Token | undefined;
  let login: Promise<Token> | undefined;

  const logIn = async (stage: string, patience: Patience) => {
    held = await requestToken(account, stage, patience);
    return held;
  };
  const tokenBut = (refused: Token | undefined, patience: Patience): Promise<Token> => {
    if (held && held !== refused && held.staleAt > account.clock().getTime())
      return Promise.resolve(held);
    login ??= logIn('login', patience).finally(() => {
      login = undefined;
    });
    return withinTime(login, patience);
  };
  const callWith = (token: Token, { path, ...request }: SessionRequest, patience: Patience) => {
    if (patience.signal.aborted) throw timeOut(patience);
    return callProvider({
      ...request,
      ...patience,
      url: `${account.baseUrl}${path}`,
      headers: headersOf(`Bearer ${token.value}`),
    });
  };

  return {
    async call(request, patience) {
      const token = await tokenBut(undefined, patience).catch(nothingHappened);
      const answer = await callWith(token, request, patience);
      if (answer.status !== 401) return answer;
      return callWith(await tokenBut(token, patience).catch(nothingHappened), request, patience);
    },
    async logIn(stage, patience) {
      await logIn(stage, patience);
    },
  };
}

async function requestToken(
  { credentials, baseUrl, clock }: Account,
  stage: string,
  patience: Patience,
): Promise<Token> {
  const askedAt = clock().getTime();
  const keys = Buffer.from(`${credentials.api_key ?? ''}:${credentials.secret_key ?? ''}`).toString(
    'base64',
  );
  const url = `${baseUrl}/api/v1/auth/login`;
  const answer = await callProvider({
    method: 'POST',
    ...patience,
    stage,
    url,
    headers: headersOf(`Basic ${keys}`),
  });
  const { accessToken, expiresIn } = bodyOf(answer) ?? {};
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken))
    throw loginErrorOf(answer, stage);
  return { value: accessToken, staleAt: askedAt + (Number(expiresIn) || 0) * 1000 - SPARE_MS };
}

function loginErrorOf(answer: ProviderAnswer, stage: string): ProviderError {
  // About the address, whoever says it, and not about the keys.
  if (answer.status === 404)
    return new ProviderError('unknown', stage, 'there is no login at this address');
  if (answer.status !== 401 || refusalOf(answer) === undefined) return errorOf(answer, stage);
  const reason = messageOf(answer);
  return new ProviderError(
    'refused',
    stage,
    `Monnify does not accept the API key and secret key${reason === 'HTTP 401' ? '' : `: ${reason}`}`,
  );
}

/** The call itself was not sent, or was turned away at the door. */
function nothingHappened(error: unknown): never {
  if (!(error instanceof ProviderError) || error.kind !== 'unknown') throw error;
  throw new ProviderError('retryable', error.stage, `the login failed: ${error.message}`, {
    cause: error.cause,
  });
}

/** Waits for a login that another call may have begun, no longer than this call may take. */
function withinTime(login: Promise<Token>, patience: Patience): Promise<Token> {
  const timedOut = new Promise<never>((_, reject) => {
    patience.signal.addEventListener('abort', () => reject(timeOut(patience)), { once: true });
  });
  return Promise.race([login, timedOut]);
}

function timeOut({ signal, timeoutMs }: Patience): ProviderError {
  return new ProviderError('retryable', 'login', `the login took all ${timeoutMs} ms of the call`, {
    cause: signal.reason,
  });
}

function headersOf(authorization: string): Record<string, string> {
  return { authorization, 'content-type': 'application/json', accept: 'application/json' };
}
