import { Agent, request } from 'undici';

const TIMEOUT_MS = 5_000;
const ANSWER_LIMIT_BYTES = 64 * 1024;

export interface Poster {
  /** Returns the status of an answer in time, or why there is none; follows no redirects. */
  post(url: string, headers: Record<string, string>, body: string): Promise<number | string>;
  destroy(): Promise<void>;
}

export function openPoster(connections: number, timeoutMs = TIMEOUT_MS): Poster {
  const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const dispatcher = new Agent({ connections, ...timeouts, connect: { timeout: timeoutMs } });
  return {
    async post(url, headers, body) {
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
