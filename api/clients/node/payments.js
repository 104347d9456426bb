import { randomUUID } from 'node:crypto';
import { operations, baseUrl as ownUrl } from './deployment.js';
import { follow } from './follow.js';
import { listOf } from './list.js';
import { send } from './transport.js';

const defaults = { timeoutMs: 30_000, retries: 4, maxAnswerBytes: 16 * 2 ** 20 };

/** @type {typeof import('./index.d.ts').Payments} */
export class Payments {
  constructor({ key, baseUrl = ownUrl, ...limits }) {
    if (key !== null && !/^[!-~]+$/.test(key ?? ''))
      throw new TypeError('key must be a secret key, as svc_sk_test_…');
    const base = safeBase(baseUrl);
    const call = (operation, args) =>
      callOf(base, key, { ...defaults, ...limits }, operation, args);
    const resources = Object.entries(operations).map(([resource, methods]) => {
      const bound = Object.entries(methods).map(([name, operation]) => [
        name,
        (...args) => call(operation, args),
      ]);
      return [resource, Object.fromEntries(bound)];
    });
    const { events, ...others } = Object.fromEntries(resources);
    Object.assign(this, others, {
      events: { ...events, follow: (options) => follow(events, options) },
    });
  }
}

function callOf(base, key, limits, { method, path, open, idempotent, list, input }, args) {
  const url = new URL(base + path.replace(/\{(\w+)\}/g, (_, name) => segment(name, args.shift())));
  const given = input ? args.shift() : undefined;
  const { signal, headers = {}, idempotencyKey, ...own } = args.shift() ?? {};
  const sent = {
    method,
    url,
    headers: { ...headers },
    isRepeatable: method === 'GET' || Boolean(idempotent),
  };
  if (!open && key !== null) sent.headers.Authorization = `Bearer ${key}`;
  if (idempotent) sent.headers['Idempotency-Key'] = idempotencyKey ?? randomUUID();
  if (input?.in === 'image') sent.body = given;
  if (input?.in === 'body' && given !== undefined) {
    sent.body = JSON.stringify(given);
    sent.headers['Content-Type'] = 'application/json';
  }
  const query = input?.in === 'query' ? (given ?? {}) : {};
  const read = (more) =>
    send({ ...sent, url: withQuery(url, { ...query, ...more }) }, { ...limits, ...own, signal });
  return list ? listOf(read) : read();
}

/** Neither empty nor dots, which an address would leave out. */
function segment(name, value) {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
    throw new TypeError(`${name} must be the ${name} of an object`);
  return encodeURIComponent(value);
}

function withQuery(url, query) {
  const filled = new URL(url);
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat())
      if (one !== undefined) filled.searchParams.append(name, String(one));
  return filled;
}

function safeBase(given) {
  const { protocol, hostname, href } = new URL(given);
  const base = `${href.replace(/(\/v1)?\/*$/, '')}/v1`;
  const isLocal = /^(localhost|127\.0\.0\.1|.+\.localhost)$/.test(hostname);
  // The operators of a deployment may allow plain http in their own network.
  const isAllowed = protocol === 'http:' && (isLocal || base === ownUrl);
  if (protocol !== 'https:' && !isAllowed)
    throw new TypeError('baseUrl must begin with https://, or be on localhost');
  return base;
}
