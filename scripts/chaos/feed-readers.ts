import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from './market.ts';
import type { Merchant } from './merchants.ts';

const EVERY_MS = 2_000;
const LIMIT = 100;

type FeedPage = { data: { id: string }[]; next_cursor: string };

/** Follows the cursor of each merchant's events until the end. */
export function startFeedReaders(url: string, merchants: readonly Merchant[], ended: AbortSignal) {
  const read = new Map<string, string[]>();
  const finishing = new AbortController();
  const readers = merchants.map(async ({ tenantId, key }) => {
    const ids: string[] = [];
    read.set(tenantId, ids);
    let cursor = '';
    for (let isLast = false; !isLast && !ended.aborted; ) {
      isLast = finishing.signal.aborted;
      for (let isFull = true; isFull; ) {
        const path = `/events?limit=${LIMIT}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
        const answer = await callApi<FeedPage>(url, { method: 'GET', path, key }, ended);
        if (answer?.status !== 200) break;
        const { data, next_cursor: next } = answer.json;
        ids.push(...data.map(({ id }) => id));
        cursor = next;
        isFull = data.length === LIMIT;
      }
      if (!isLast) await pause(EVERY_MS, undefined, { signal: finishing.signal }).catch(() => {});
    }
  });
  return {
    read,
    async finish() {
      finishing.abort();
      await Promise.all(readers);
    },
  };
}
