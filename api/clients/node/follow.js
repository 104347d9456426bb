import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, ConnectionError } from './errors.js';

const PAGE = 100;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** However late the service says: a timer that is set for a month fires at once. */
const LONGEST_WAIT_MS = 60_000;

/** @type {import('./index.d.ts').CursorStore} */
export const nowhere = { load: async () => undefined, save: async () => {} };

/**
 * @param {import('./index.d.ts').Resources['events']} events
 * @param {import('./index.d.ts').FollowOptions} options
 */
export async function* follow(
  events,
  { store = nowhere, from = 'beginning', pollMs = 1_000, signal, onRetry = () => {} } = {},
) {
  try {
    const once = { signal, retries: 0 };
    let after = (await store.load()) ?? (from === 'now' ? 'now' : undefined);
    for (;;) {
      const read = () => events.list({ after, limit: PAGE }, once).page();
      const { data, next_cursor } = await untilAnswered(read, signal, onRetry);
      for (const event of data) {
        yield event;
        await store.save(event.id);
      }
      if (next_cursor !== after) await store.save(next_cursor);
      after = next_cursor;
      if (data.length === 0) await sleep(pollMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/** Whatever passes is waited out; a refusal is thrown. */
async function untilAnswered(read, signal, onRetry) {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    try {
      return await read();
    } catch (/** @type {any} */ error) {
      if (!isPassing(error)) throw error;
      onRetry(error);
      const askedMs = Math.min(LONGEST_WAIT_MS, (error.retryAfterSeconds ?? 0) * 1000);
      await sleep(Math.max(pauseMs, askedMs), undefined, { signal });
    }
  }
}

function isPassing(error) {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500;
  return error instanceof ConnectionError && error.code !== 'answer_too_long';
}

/** @type {typeof import('./index.d.ts').cursorFile} */
export function cursorFile(path) {
  return {
    async load() {
      const text = await readFile(path, 'utf8').catch((error) => {
        if (error.code !== 'ENOENT') throw error;
        return '';
      });
      return text.trim() || undefined;
    },
    async save(cursor) {
      await writeFile(`${path}.next`, `${cursor}\n`);
      await rename(`${path}.next`, path);
    },
  };
}
