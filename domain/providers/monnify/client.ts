import { MINUTE_MS } from '../../shared/units.ts';
import { errorOf, messageOf, resultOf } from '../adapter/answers.ts';
import { type Client, headersWith } from '../adapter/client.ts';
import {
  callProvider,
  type Deadline,
  deadlineOf,
  type ProviderAnswer,
  type ProviderRequest,
} from '../adapter/http.ts';
import type { Account, CallOptions } from '../port/provider.ts';
import { ProviderError } from '../port/provider-error.ts';
import { answerForm, refusalOf } from './answers.ts';

/** It must not expire on the way. */
const EXPIRY_MARGIN_MS = MINUTE_MS;

interface Token {
  value: string;
  staleAt: number;
}

type Request = Pick<ProviderRequest, 'method' | 'body' | 'stage'> & { path: string };

/** After a 401 it logs in and calls once more. A failed login means that nothing happened. */
export interface MonnifyClient extends Client {
  /** Even with a valid token. Throws `refused`. */
  logIn(): Promise<void>;
}

export function openClient(account: Account) {
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
      if (!isShared || !(error instanceof ProviderError && error.isOverBudget))
        throw nothingHappened(error);
      return tokenOtherThan(refused, deadline);
    }
  };
  const callWith = (token: Token, { path, ...request }: Request, deadline: Deadline) => {
    if (deadline.signal.aborted) throw timeOut(deadline);
    const headers = headersWith(`Bearer ${token.value}`);
    return callProvider({ ...request, ...deadline, headers, url: `${account.baseUrl}${path}` });
  };
  const call = async (request: Request, deadline: Deadline) => {
    const token = await tokenOtherThan(undefined, deadline);
    const answer = await callWith(token, request, deadline);
    if (answer.status !== 401) return answer;
    return callWith(await tokenOtherThan(token, deadline), request, deadline);
  };

  return (options: CallOptions, stage: string): MonnifyClient => {
    const deadline = deadlineOf(options);
    return {
      account,
      get: (path) => call({ method: 'GET', path, stage }, deadline),
      post: (path, body) => call({ method: 'POST', path, body, stage }, deadline),
      logIn: async () => void (await logIn(stage, deadline)),
    };
  };
}

async function requestToken(
  { credentials, baseUrl, clock }: Account,
  stage: string,
  deadline: Deadline,
): Promise<Token> {
  const askedAt = clock().getTime();
  const keys = Buffer.from(`${credentials.api_key ?? ''}:${credentials.secret_key ?? ''}`);
  const answer = await callProvider({
    ...{ ...deadline, method: 'POST', stage, url: `${baseUrl}/api/v1/auth/login` },
    headers: headersWith(`Basic ${keys.toString('base64')}`),
  });
  const { accessToken, expiresIn } = resultOf(answerForm, answer) ?? {};
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken))
    throw loginErrorOf(answer);
  const lifetimeMs = (Number(expiresIn) || 0) * 1000;
  return { value: accessToken, staleAt: askedAt + lifetimeMs - EXPIRY_MARGIN_MS };
}

function loginErrorOf(answer: ProviderAnswer): ProviderError {
  const { status, stage } = answer;
  if (status === 404)
    return new ProviderError('unknown', stage, 'there is no login at this address');
  if (status !== 401 || refusalOf(answer) === undefined) return errorOf(answerForm, answer);
  const reason = messageOf(answerForm, answer);
  const message = 'Monnify does not accept the API key and secret key';
  return new ProviderError(
    'refused',
    stage,
    reason === 'HTTP 401' ? message : `${message}: ${reason}`,
    { refusesCredentials: true },
  );
}

function nothingHappened(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'unknown') return error;
  const { stage, message, cause } = error;
  return new ProviderError('retryable', stage, `the login failed: ${message}`, { cause });
}

/** Another call may have started it. */
function withinTime(login: Promise<Token>, deadline: Deadline): Promise<Token> {
  const timedOut = new Promise<never>((_, reject) => {
    deadline.signal.addEventListener('abort', () => reject(timeOut(deadline)), { once: true });
  });
  return Promise.race([login, timedOut]);
}

function timeOut({ signal, timeoutMs }: Deadline): ProviderError {
  const message = `the login took all ${timeoutMs} ms of the call`;
  return new ProviderError('retryable', 'login', message, { cause: signal.reason });
}
