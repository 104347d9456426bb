import { callProvider, type Deadline, type ProviderAnswer, type ProviderRequest } from '../http.ts';
import type { Account } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { bodyOf, errorOf, messageOf, refusalOf } from './answers.ts';

/** A token is not used in its last minute, so that it does not expire on the way. */
const EXPIRY_MARGIN_MS = 60_000;

interface Token {
  value: string;
  /** No call starts with it from then on, by the account's clock, in ms. */
  staleAt: number;
}

type ClientRequest = Pick<ProviderRequest, 'method' | 'body' | 'stage'> & { path: string };

/** Calls Monnify as one account, with its access token. */
export interface Client {
  /**
   * Calls with the current token, or logs in first. After a 401 it logs in and calls once more. A
   * failed login means that nothing happened: `refused` where the keys are, else `limited` or
   * `retryable`.
   */
  call(request: ClientRequest, deadline: Deadline): Promise<ProviderAnswer>;
  /** Logs in even with a valid token. Throws `refused` when Monnify does not accept the keys. */
  logIn(stage: string, deadline: Deadline): Promise<void>;
}

/** The first call logs in. Concurrent calls share one login. */
export function openClient(account: Account): Client {
  let current: Token | undefined;
  let login: Promise<Token> | undefined;

  const logIn = async (stage: string, deadline: Deadline) => {
    current = await requestToken(account, stage, deadline);
    return current;
  };
  const tokenOtherThan = async (refused: Token | undefined, deadline: Deadline): Promise<Token> => {
    if (current && current !== refused && current.staleAt > account.clock().getTime())
      return current;
    const isShared = login !== undefined;
    login ??= logIn('login', deadline).finally(() => {
      login = undefined;
    });
    try {
      return await withinTime(login, deadline);
    } catch (error) {
      // The call that began the login may use less of the budget than this one.
      if (!isShared || !(error instanceof ProviderError && error.isOverBudget)) throw error;
      return tokenOtherThan(refused, deadline);
    }
  };
  const callWith = (token: Token, { path, ...request }: ClientRequest, deadline: Deadline) => {
    if (deadline.signal.aborted) throw timeOut(deadline);
    return callProvider({
      ...request,
      ...deadline,
      url: `${account.baseUrl}${path}`,
      headers: headersOf(`Bearer ${token.value}`),
    });
  };

  return {
    async call(request, deadline) {
      const token = await tokenOtherThan(undefined, deadline).catch(nothingHappened);
      const answer = await callWith(token, request, deadline);
      if (answer.status !== 401) return answer;
      return callWith(
        await tokenOtherThan(token, deadline).catch(nothingHappened),
        request,
        deadline,
      );
    },
    async logIn(stage, deadline) {
      await logIn(stage, deadline);
    },
  };
}

async function requestToken(
  { credentials, baseUrl, clock }: Account,
  stage: string,
  deadline: Deadline,
): Promise<Token> {
  const askedAt = clock().getTime();
  const keys = Buffer.from(`${credentials.api_key ?? ''}:${credentials.secret_key ?? ''}`).toString(
    'base64',
  );
  const url = `${baseUrl}/api/v1/auth/login`;
  const answer = await callProvider({
    method: 'POST',
    ...deadline,
    stage,
    url,
    headers: headersOf(`Basic ${keys}`),
  });
  const { accessToken, expiresIn } = bodyOf(answer) ?? {};
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken))
    throw loginErrorOf(answer, stage);
  return {
    value: accessToken,
    staleAt: askedAt + (Number(expiresIn) || 0) * 1000 - EXPIRY_MARGIN_MS,
  };
}

function loginErrorOf(answer: ProviderAnswer, stage: string): ProviderError {
  // A 404 is about the address, whoever sends it, and not about the keys.
  if (answer.status === 404)
    return new ProviderError('unknown', stage, 'there is no login at this address');
  if (answer.status !== 401 || refusalOf(answer) === undefined) return errorOf(answer, stage);
  const reason = messageOf(answer);
  return new ProviderError(
    'refused',
    stage,
    `Monnify does not accept the API key and secret key${reason === 'HTTP 401' ? '' : `: ${reason}`}`,
    { refusesCredentials: true },
  );
}

/** The call itself was not sent, or got a 401. */
function nothingHappened(error: unknown): never {
  if (!(error instanceof ProviderError) || error.kind !== 'unknown') throw error;
  throw new ProviderError('retryable', error.stage, `the login failed: ${error.message}`, {
    cause: error.cause,
  });
}

/** Waits for a login that another call may have started, until this call's deadline. */
function withinTime(login: Promise<Token>, deadline: Deadline): Promise<Token> {
  const timedOut = new Promise<never>((_, reject) => {
    deadline.signal.addEventListener('abort', () => reject(timeOut(deadline)), { once: true });
  });
  return Promise.race([login, timedOut]);
}

function timeOut({ signal, timeoutMs }: Deadline): ProviderError {
  return new ProviderError('retryable', 'login', `the login took all ${timeoutMs} ms of the call`, {
    cause: signal.reason,
  });
}

function headersOf(authorization: string): Record<string, string> {
  return { authorization, 'content-type': 'application/json', accept: 'application/json' };
}
