import { useAnswers } from './answer-calls.ts';

/** An answer to calls of one method and address, given instead of the server's. */
interface Answer {
  method: string;
  url: string | RegExp;
  left: number;
  respond: () => Response;
}

const answers: Answer[] = [];

/**
 * Lets tests of a describe block answer single calls to providers. All other calls reach their
 * server. Unused answers are dropped after each test. Tests of whole stacks use this and not nock,
 * which loses calls on connections that were kept alive.
 */
export function interceptCalls(): void {
  useAnswers(
    async (url, init) => take(init.method ?? 'GET', url)?.respond() ?? (await fetch(url, init)),
  );
  afterEach(forgetAnswers);
}

export function forgetAnswers(): void {
  answers.length = 0;
}

function take(method: string, url: string): Answer | undefined {
  const answer = answers.find(
    (each) => each.left > 0 && each.method === method && isAt(each.url, url),
  );
  if (answer) answer.left -= 1;
  return answer;
}

function isAt(wanted: string | RegExp, url: string): boolean {
  return typeof wanted === 'string' ? wanted === url : wanted.test(url);
}

export function answerNext(method: 'GET' | 'POST', url: string | RegExp, times = 1) {
  const register = (respond: () => Response) => {
    const answer: Answer = { method, url, left: times, respond };
    answers.push(answer);
    return { isDone: () => answer.left === 0 };
  };
  return {
    with: (status: number, body: object | string) =>
      register(
        () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }),
      ),
    withoutConnection: () =>
      register(() => {
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
        });
      }),
  };
}
