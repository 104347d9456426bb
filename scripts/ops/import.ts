import { Option } from 'commander';
import pRetry from 'p-retry';
import type { Context } from '../../config/context.ts';
import { settlementContext } from '../../config/settlement-context.ts';
import {
  findConnection,
  listNamedConnections,
} from '../../domain/accounts/connection/connection.ts';
import { importAccount } from '../../domain/import-account.ts';
import { isDeferral, ProviderError } from '../../domain/providers/port/provider-error.ts';
import { providers } from '../../domain/providers/registry.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Terminal } from '../command-line.ts';
import { expectId, type OperatorCommand, type Printed, required } from './operate.ts';

type Options = { tenant: string; mode: string; provider: string; from: string };

export const importCommand: OperatorCommand = {
  name: 'import',
  description:
    'Brings in what an account did before it was connected: payments, what went back of them, and ' +
    'payouts. No event and no mail tells of it. May be interrupted and repeated, while the service ' +
    'runs.',
  options: [
    required('--tenant <id>', 'whose account'),
    required('--provider <name>', 'where it is: paystack'),
    new Option('--mode <mode>', 'of the connection').choices(['live', 'test']).default('live'),
    new Option('--from <day>', 'what was begun since, as 2024-01-31').default('2015-01-01'),
  ],
  run: (context, options, _argument, terminal) => importPast(context, options, terminal),
};

async function importPast(
  context: Context,
  options: Options,
  terminal: Terminal,
): Promise<Printed> {
  const { stderr, stopped } = terminal;
  const from = dayOf(options.from);
  const account = await accountOf(context, options);
  const settlements = await settlementContext(context, account.id, Number.POSITIVE_INFINITY);
  const done = { payments: 0, pages: 0 };
  const past = importAccount(
    {
      ...settlements,
      account,
      provider: context.providerOf(account, 'list'),
      hasTime: () => !stopped.aborted,
      patiently: (call) => patiently(call, stopped),
    },
    from,
  );
  try {
    for await (const { payments, pages } of past) {
      done.payments += payments;
      done.pages += pages;
      if (done.pages % PAGES_BETWEEN_WORDS === 0) stderr.write(`${wordsOf(done)}\n`);
    }
  } catch (error) {
    if (!stopped.aborted && !(error instanceof ProviderError)) throw error;
    const why = stopped.aborted ? 'Stopped' : `${(error as Error).message}. Stopped`;
    throw new Problem('invalid_state', `${why} after ${wordsOf(done)}. Run it again to go on.`);
  }
  return { object: { payments: done.payments }, text: `Imported ${wordsOf(done)}.` };
}

const PAGES_BETWEEN_WORDS = 20;

const wordsOf = ({ payments, pages }: { payments: number; pages: number }) =>
  `${payments} payments, from ${pages} pages of lists`;

async function accountOf({ db }: Context, { tenant, mode, provider }: Options) {
  expectId('ten', tenant, 'tenant');
  if (!Object.hasOwn(providers, provider))
    throw new Problem('validation_failed', `--provider must be one of ${Object.keys(providers)}.`);
  const all = await listNamedConnections(db, tenant);
  const one = all.find((known) => known.mode === mode && known.adapter === provider);
  if (!one) throw new Problem('not_found', `${tenant} has no ${provider} account in ${mode} mode.`);
  return (await findConnection(db, one.id))!;
}

function dayOf(given: string): Date {
  const day = new Date(`${given}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(day.getTime())) return day;
  throw new Problem('validation_failed', '--from must be a day, as 2024-01-31.');
}

/** What a provider's budget defers is no failure, and is asked again for as long as it takes. */
function patiently<Answered>(call: () => Promise<Answered>, signal: AbortSignal) {
  return pRetry(call, {
    ...{ retries: 5, maxTimeout: 10_000, signal },
    shouldRetry: ({ error }) => error instanceof ProviderError && error.kind !== 'refused',
    shouldConsumeRetry: ({ error }) => !(error instanceof ProviderError && isDeferral(error)),
  });
}
