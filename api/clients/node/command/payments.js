#!/usr/bin/env node
import { baseUrl } from '../deployment.js';
import { Payments, PaymentsError } from '../index.js';
import { callMethod, resources } from './call-method.js';
import { listen } from './listen.js';
import { readKey } from './read-key.js';
import { tail } from './tail.js';
import { trigger, triggers } from './trigger.js';
import { UsageError } from './usage-error.js';
import { verify } from './verify.js';

const help = `payments COMMAND [options]

  listen --forward-to URL    send what happens to your machine, signed as webhooks are
      [--events TYPE,TYPE] [--secret whsec_…] [--from now|beginning] [--cursor FILE]
  trigger TYPE               make it happen, with a test key: ${triggers.join(', ')}
  events tail                show what happens
      [--from now|beginning] [--cursor FILE]
  charges create --amount-kobo KOBO --email E-MAIL [--reference TEXT] [--metadata NAME=VALUE] …
      [--scenario NAME]      what the sandbox's customer does: {PUBLIC_URL}/docs/testing
  charges get REFERENCE
  charges list [--status STATUS] [--customer E-MAIL] [--limit N] [--all] …
  webhooks verify --signature HEADER [--secret whsec_…] < BODY
  RESOURCE METHOD [ID] [--field VALUE] …
      any other operation of ${resources.join(', ')}

The key is read from PAYMENTS_KEY, or asked for. PAYMENTS_URL is the service, by default
${baseUrl}. WEBHOOK_SECRET stands for --secret. A terminal shows tables, a pipe JSON lines.
`;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
// Whoever reads no further, as head does, wants no more.
process.stdout.on('error', () => process.exit());

// Cursors are saved while events are read.
process.on('unhandledRejection', end);
await run(process.argv.slice(2)).catch(end);

/** @param {any} error */
function end(error) {
  const isUsage = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS');
  const isFile = error.path !== undefined;
  if (!isUsage && !isFile && !(error instanceof PaymentsError || error instanceof TypeError))
    throw error;
  process.stderr.write(
    isFile ? `The cursor cannot be kept. ${error.message}\n` : `${error.message}\n`,
  );
  if (isUsage) process.stderr.write('payments --help says how.\n');
  process.exitCode = isUsage ? 2 : 1;
  stop.abort();
}

async function run(words) {
  const [first = 'help', second, ...rest] = words;
  if (first === 'help' || first === '--help') return void process.stdout.write(help);
  if (`${first} ${second}` === 'webhooks verify') return verify(rest);
  const key = await readKey();
  const { PAYMENTS_URL: url } = process.env;
  const payments = new Payments({ key, ...(url ? { baseUrl: url } : {}) });
  if (first === 'listen') return listen(payments, key, words.slice(1), stop.signal);
  if (first === 'trigger') return trigger(payments, key, words.slice(1), stop.signal);
  if (`${first} ${second}` === 'events tail') return tail(payments, rest, stop.signal);
  // Every charge is in the ledger.
  const resource = `${first} ${second}` === 'charges list' ? 'transactions' : first;
  return callMethod(payments, resource, second, rest);
}
