import { parseArgs } from 'node:util';
import { eventPrinter, feedOptions, followOptions } from './events.js';

/** Shows what happens, until `signal` is aborted. */
export async function tail(payments, args, signal) {
  const { values } = parseArgs({ args, options: feedOptions });
  const show = eventPrinter();
  for await (const event of payments.events.follow(followOptions(values, signal))) show(event);
}
