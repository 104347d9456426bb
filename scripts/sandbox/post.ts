import { Agent, request } from 'undici';

const TIMEOUT_MS = 5_000;
const ANSWER_LIMIT_BYTES = 64 * 1024;

export type Poster = ReturnType<typeof openPoster>;

export function openPoster(connections: number, timeoutMs = TIMEOUT_MS) {
  const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const dispatcher = new Agent({ connections, ...timeouts, connect: { timeout: timeoutMs } });
  return {
    /** The status of an answer in time, or why there is none; follows no redirects. */
    async post(url: string, headers: Record<string, string>, body: string) {
      try {
        const answer = await request(url, { dispatcher, method: 'POST', headers, body });
        let bytes = 0;
        for await (const part of answer.body) {
          bytes += part.length;
          if (bytes > ANSWER_LIMIT_BYTES) break;
        }
        return answer.statusCode;
      } catch (error) {
        return (error as Error).message;
      }
    },
    destroy: () => dispatcher.destroy(),
  };
}
