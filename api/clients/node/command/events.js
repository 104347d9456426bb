import { cursorFile } from '../index.js';
import { liveTable, naira, print, shortTime } from './print.js';
import { UsageError } from './usage-error.js';

/** Of commands that read the feed. @type {Record<string, { type: 'string' }>} */
export const feedOptions = { from: { type: 'string' }, cursor: { type: 'string' } };

/**
 * Where a command begins to read, and what it says while the service is away.
 * @param {any} values
 */
export function followOptions({ from = 'now', cursor }, signal) {
  if (from !== 'now' && from !== 'beginning')
    throw new UsageError('--from must be now or beginning');
  return {
    from,
    signal,
    ...(cursor ? { store: cursorFile(cursor) } : {}),
    onRetry: ({ message }) => process.stderr.write(`${message}. Trying again …\n`),
  };
}

/** Shows events: a live table on a terminal, else a line each. `state`: of their forwarding. */
export function eventPrinter(stdout = process.stdout) {
  if (!stdout.isTTY) return (event, state) => print({ ...event, ...state });
  const table = liveTable(stdout);
  return ({ id, type, created_at, data }, state = {}) =>
    table.show(id, {
      time: shortTime(created_at),
      event: type,
      reference: data.reference ?? data.id,
      amount: naira(data.amount_kobo),
      ...state,
    });
}
