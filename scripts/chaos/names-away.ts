// Loaded before a program (`node --import`) whose name servers may go away: while the file
// NAMES_AWAY_FILE is there, names wait as in libuv's threads, two at a time, and are not found.
import { AsyncResource } from 'node:async_hooks';
import dns from 'node:dns';
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

/** As long as a resolver waits for a server that is silent. */
const WAITS_MS = 5_000;
/** Of the four threads, libuv lets half look up names. */
const AT_ONCE = 2;

type Callback = (error: Error | null, ...found: unknown[]) => void;

const { lookup } = dns;
const waiting: (() => Promise<void>)[] = [];
let underWay = 0;

Object.assign(dns, {
  lookup: (hostname: string, ...rest: unknown[]) => {
    const callback = AsyncResource.bind(rest.pop() as Callback);
    waiting.push(() => find(hostname, rest, callback));
    void lookUp();
  },
});
syncBuiltinESMExports();

async function lookUp(): Promise<void> {
  if (underWay === AT_ONCE) return;
  underWay++;
  for (let next = waiting.shift(); next; next = waiting.shift()) await next();
  underWay--;
}

async function find(hostname: string, options: unknown[], callback: Callback): Promise<void> {
  if (existsSync(process.env.NAMES_AWAY_FILE!)) {
    await pause(WAITS_MS, undefined, { ref: false });
    const error = new Error(`getaddrinfo EAI_AGAIN ${hostname}`);
    return callback(Object.assign(error, { code: 'EAI_AGAIN', hostname }));
  }
  await new Promise<void>((resolve) => {
    const answer: Callback = (...found) => {
      resolve();
      callback(...found);
    };
    (lookup as (...all: unknown[]) => void)(hostname, ...options, answer);
  });
}
