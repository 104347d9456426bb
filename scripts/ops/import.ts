import { Option } from 'commander';
import pRetry from 'p-retry';
import type { Context } from '../../config/context.ts';
import { settlementContext } from '../../config/settlement-context.ts';
import {
  findConnection,
  listNamedConnections,
} from '../../domain/accounts/connection/connection.ts';
import { type Imported, importAccount } from '../../domain/import-account.ts';
import { isDeferral, ProviderError } from '../../domain/providers/port/provider-error.ts';
import { providers } from '../../domain/providers/registry.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Terminal } from '../command-line.ts';
import { expectId, type OperatorCommand, type Printed, required } from './operate.ts';

type Options = {
  tenant: string;
  mode: string;
  provider: string;
  connection?: string;
  from: string;
};

export const importCommand: OperatorCommand = {
  name: 'import',
  description:
    'Brings in what an account did before it was connected: payments, what went back of them, and ' +
    'payouts. No event and no mail tells of it. May be interrupted and repeated, while the service ' +
    'runs. Exit 3: some records could not be read, and stderr names them.',
  options: [
    required('--tenant <id>', 'whose account'),
    required('--provider <name>', 'where it is: paystack'),
    new Option('--mode <mode>', 'of the connection').choices(['live', 'test']).default('live'),
    new Option('--connection <id>', 'which account, where there are several'),
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
  const settlements = settlementContext(context, account, Number.POSITIVE_INFINITY);
  const done = { payments: 0, pages: 0, leftOut: 0 };
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
    for await (const { payments, pages, leftOut } of past) {
      done.payments += payments;
      done.pages += pages;
      done.leftOut += leftOut.length;
      for (const { what, name, why } of leftOut)
        stderr.write(`Left out: ${what} ${name}: ${why}\n`);
      if (pages > 0 && done.pages % PAGES_BETWEEN_WORDS === 0) stderr.write(`${wordsOf(done)}\n`);
    }
  } catch (error) {
    if (!stopped.aborted && !(error instanceof ProviderError)) throw error;
    const why = stopped.aborted ? 'Stopped' : `${(error as Error).message}. Stopped`;
    throw new Problem('invalid_state', `${why} after ${wordsOf(done)}. Run it again to go on.`);
  }
  const { payments, leftOut } = done;
  if (leftOut > 0) terminal.exitCode = LEFT_OUT;
  const left = leftOut > 0 ? ` ${leftOut} records could not be read: run it again later.` : '';
  return {
    object: { payments, left_out: leftOut },
    text: `Imported ${wordsOf(done)}.${left}`,
  };
}

/** The exit code of an import that lacks something, as of a reconciliation that finds something. */
const LEFT_OUT = 3;

const PAGES_BETWEEN_WORDS = 20;

const wordsOf = ({ payments, pages }: Pick<Imported, 'payments' | 'pages'>) =>
  `${payments} payments, from ${pages} pages of lists`;

async function accountOf({ db }: Context, { tenant, mode, provider, connection }: Options) {
  expectId('ten', tenant, 'tenant');
  if (!Object.hasOwn(providers, provider))
    throw new Problem('validation_failed', `--provider must be one of ${Object.keys(providers)}.`);
  const all = (await listNamedConnections(db, tenant)).filter(
    (known) =>
      known.mode === mode && known.adapter === provider && known.id === (connection ?? known.id),
  );
  const enabled = all.filter(({ disabled_at: disabledAt }) => disabledAt === null);
  const meant = enabled.length > 0 ? enabled : all;
  const named = connection === undefined ? `${provider} account` : `${provider} ${connection}`;
  if (meant.length === 0)
    throw new Problem('not_found', `${tenant} has no ${named} in ${mode} mode.`);
  if (meant.length > 1)
    throw new Problem(
      'invalid_state',
      `${tenant} has ${meant.length} ${provider} accounts in ${mode} mode. ` +
        `Name one with --connection: ${meant.map(({ id }) => id).join(', ')}.`,
    );
  return (await findConnection(db, meant[0]!.id))!;
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
