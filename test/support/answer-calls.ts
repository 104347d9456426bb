import type { Dispatcher } from 'undici';
import { providerAgent } from '../../domain/providers/adapter/http.ts';

/** Answers a call to a provider. `fetch` lets it reach its server, or nock. */
type Answerer = (url: string, init: RequestInit) => Promise<Response>;

export function answerCalls(answerer: Answerer): Disposable {
  const { dispatch } = providerAgent;
  providerAgent.dispatch = dispatchTo(answerer);
  return {
    [Symbol.dispose]() {
      providerAgent.dispatch = dispatch;
    },
  };
}

export function useAnswers(answerer: Answerer): void {
  let answering: Disposable;
  before(() => {
    answering = answerCalls(answerer);
  });
  after(() => answering[Symbol.dispose]());
}

export function dispatchTo(answerer: Answerer): Dispatcher['dispatch'] {
  return ({ origin, path, method, headers, body }, handler) => {
    const ending = new AbortController();
    const { signal } = ending;
    handler.onConnect?.((reason) => ending.abort(reason));
    const init: object = { method, headers, body, redirect: 'manual', signal };
    void pass(answerer(`${origin}${path}`, init), handler);
    return true;
  };
}

async function pass(answered: Promise<Response>, handler: Dispatcher.DispatchHandler) {
  try {
    const response = await answered;
    const headers = [...response.headers].flat().map((text) => Buffer.from(text));
    handler.onHeaders?.(response.status, headers, () => {}, response.statusText);
    for await (const part of response.body ?? []) handler.onData?.(Buffer.from(part));
    handler.onComplete?.([]);
  } catch (error) {
    const { cause } = error as Error;
    handler.onError?.(cause instanceof Error ? cause : (error as Error));
  }
}
