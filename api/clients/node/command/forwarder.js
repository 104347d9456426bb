import { setTimeout as sleep } from 'node:timers/promises';
import { signWebhook } from '../index.js';

/** As the service waits for an answer. */
const TIMEOUT_MS = 10_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** While so many wait, no more are read. */
const MOST_WAITING = 100;

/**
 * Sends each event to `url` until it is answered with 2xx. Events of one charge arrive in their
 * order: those behind one that fails wait for it, those of other charges do not.
 */
export function forwarderTo(url, secret, show, signal) {
  /** The last event of each charge that has events waiting. */
  const lastOf = new Map();
  const waiting = new Set();
  let all = Promise.resolve();

  async function forward(event) {
    const body = JSON.stringify(event);
    for (
      let waitMs = FIRST_WAIT_MS;
      !signal.aborted;
      waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs)
    ) {
      const { isTaken, forwarded } = await post(url, body, secret, signal);
      if (signal.aborted) return;
      show(event, { forwarded });
      if (isTaken) return;
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  return {
    /** Ends once there is room for another event. */
    async add(event) {
      const charge = event.data.reference ?? event.data.id;
      const sent = (lastOf.get(charge) ?? Promise.resolve()).then(() => forward(event));
      lastOf.set(charge, sent);
      waiting.add(sent);
      sent.then(() => {
        waiting.delete(sent);
        if (lastOf.get(charge) === sent) lastOf.delete(charge);
      });
      all = Promise.all([all, sent]).then(() => {});
      if (waiting.size >= MOST_WAITING) await Promise.race(waiting);
    },

    /** Saves a cursor once every event before it has been taken. */
    storeBehind(store) {
      let saved = Promise.resolve();
      return {
        load: () => store.load(),
        async save(cursor) {
          const before = all;
          saved = saved
            .then(() => before)
            .then(() => (signal.aborted ? undefined : store.save(cursor)));
        },
      };
    },
  };
}

async function post(url, body, secret, signal) {
  const startedMs = performance.now();
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: signWebhook(body, secret),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    await response.body?.cancel();
    const tookMs = Math.round(performance.now() - startedMs);
    return { isTaken: response.ok, forwarded: `${response.status} in ${tookMs} ms` };
  } catch (/** @type {any} */ error) {
    // Read here, the signal is not collected before: AbortSignal.any() does not hold it.
    if (timeout.aborted) return { isTaken: false, forwarded: `nothing in ${TIMEOUT_MS / 1000} s` };
    return { isTaken: false, forwarded: error.cause?.code ?? error.name };
  }
}
