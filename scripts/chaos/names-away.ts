// Loaded before a program (`node --import`) whose name servers are to be away: names wait as in
// libuv's threads, and are not found.
import dns from 'node:dns';

const WAITS_MS = 5_000;

Object.assign(dns, {
  lookup: (hostname: string, ...rest: unknown[]) => {
    const callback = rest.at(-1) as (error: Error) => void;
    const error = new Error(`getaddrinfo EAI_AGAIN ${hostname}`);
    setTimeout(callback, WAITS_MS, Object.assign(error, { code: 'EAI_AGAIN', hostname }));
  },
});
