import { Readable } from 'node:stream';
import { expect } from 'chai';
import nock from 'nock';
import { type ProviderAnswer, readAnswer } from '../../../domain/providers/adapter/http.ts';
import {
  ProviderError,
  type ProviderErrorKind,
} from '../../../domain/providers/port/provider-error.ts';
import { useAnswers } from '../../support/answer-calls.ts';

// Importing nock patches HTTP for the whole process; other tests call real servers.
nock.restore();

/**
 * Lets nock answer every outgoing call of this describe block. A call that no test expects fails,
 * and so does a test whose expected calls were not made.
 */
export function useNock(): void {
  useAnswers((url, init) => fetch(url, init));
  before(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => {
    const missing = nock.pendingMocks();
    nock.cleanAll();
    expect(missing, 'calls that were not made').to.deep.equal([]);
  });
  after(() => {
    nock.enableNetConnect();
    nock.restore();
  });
}

export type Reply = [status: number, body: object | string];

export function answerOf(
  [status, body]: Reply,
  stage = 'create',
  headers: Record<string, string> = {},
): Promise<ProviderAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readAnswer({ status, headers, body: Readable.from([Buffer.from(text)]) }, stage);
}

interface Failure {
  kind: ProviderErrorKind;
  stage: string;
  message: string;
  retryAfterMs?: number;
}

export async function errorOf(call: Promise<unknown>): Promise<Failure> {
  return failureOf(
    await call.then(
      (value) => expect.fail(`answered ${JSON.stringify(value)}`),
      (reason: unknown) => reason,
    ),
  );
}

export async function expectErrors<Asked = Reply>(
  stage: string,
  replies: readonly (readonly [asked: Asked, kind: string])[],
  ask: (asked: Asked) => Promise<unknown>,
): Promise<void> {
  for (const [reply, kind] of replies)
    expect(await errorOf(ask(reply)), JSON.stringify(reply).slice(0, 200)).to.include({
      ...{ kind, stage },
    });
}

/** Expects that nothing is known after any of these. */
export const expectUnknown = <Asked = Reply>(
  stage: string,
  each: readonly Asked[],
  ask: (asked: Asked) => Promise<unknown>,
): Promise<void> =>
  expectErrors(
    stage,
    each.map((asked) => [asked, 'unknown'] as const),
    ask,
  );

/** Expects each status to be read as its state, and kept as it is written in our tables. */
export async function expectStates(
  states: Record<string, unknown[]>,
  read: (status: unknown) => Promise<{ state: string; status: string } | undefined>,
  inCase: 'toLowerCase' | 'toUpperCase' = 'toLowerCase',
): Promise<void> {
  const unknown = ['unheard-of', 'constructor', '', null, ...(states.unknown ?? [])];
  for (const [state, statuses] of Object.entries({ ...states, unknown }))
    for (const written of statuses) {
      const status = typeof written === 'string' ? written.trim()[inCase]() : '';
      expect(await read(written), `${written}`).to.include({ state, status });
    }
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof ProviderError)) throw error;
  const { kind, stage, message, retryAfterMs } = error;
  return { kind, stage, message, ...(retryAfterMs === null ? {} : { retryAfterMs }) };
}
