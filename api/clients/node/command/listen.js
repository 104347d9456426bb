import { createHmac } from 'node:crypto';
import { parseArgs } from 'node:util';
import { nowhere } from '../follow.js';
import { eventPrinter, feedOptions, followOptions } from './events.js';
import { forwarderTo } from './forwarder.js';
import { UsageError } from './usage-error.js';

/** Sends what happens to an address of this machine, until `signal` is aborted. */
export async function listen(payments, key, args, signal) {
  const { values } = parseArgs({
    args,
    options: {
      ...feedOptions,
      'forward-to': { type: 'string' },
      events: { type: 'string' },
      secret: { type: 'string', default: process.env.WEBHOOK_SECRET ?? secretOf(key) },
    },
  });
  const { 'forward-to': url, events: wanted, secret } = values;
  if (!url || !URL.canParse(url)) throw new UsageError('--forward-to must be an address');
  const types = wanted?.split(',');
  const follow = followOptions(values, signal);
  const forwarder = forwarderTo(url, secret, eventPrinter(), signal);
  const kept = follow.store ? forwarder.storeBehind(follow.store) : nowhere;
  const store = saying(`Forwarding to ${url}, signed with ${secret}\n`, kept);
  for await (const event of payments.events.follow({ ...follow, store }))
    if (!types || types.includes(event.type)) await forwarder.add(event);
}

/** Says it once its place in the feed is known: nothing that happens from then on is missed. */
function saying(text, { load, save }) {
  let isSaid = false;
  return {
    load,
    async save(cursor) {
      if (!isSaid) process.stderr.write(text);
      isSaid = true;
      await save(cursor);
    },
  };
}

/** The same each time, so that your server keeps its setting. It tells nobody the key. */
function secretOf(key) {
  return `whsec_${createHmac('sha256', key).update('payments listen').digest('base64')}`;
}
