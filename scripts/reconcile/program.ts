import type { Command } from 'commander';
import { DateTime } from 'luxon';
import { explain } from '../../config/main.ts';
import { SetupError } from '../../config/setup-error.ts';
import { listNamedConnections } from '../../domain/accounts/connection/connection.ts';
import type { ReportDays } from '../../domain/settlements/settlement/report.ts';
import { isId } from '../../domain/shared/ids.ts';
import { openTerminalContext, type Terminal } from '../command-line.ts';
import { reportObject } from './object.ts';
import { type Patience, patient, reasonOf, untilTaken } from './patience.ts';
import { printed } from './print.ts';
import { type Reconciled, reconcileOne } from './run.ts';

type Options = { from: string; to: string; tenant?: string; json?: boolean };

/** The exit code where discrepancies are open; 1 where the command could not run. */
const DISCREPANCIES = 3;

/** `npm run reconcile`. */
export function reconcile(root: Command, terminal: Terminal, patience = patient()): void {
  root
    .name('reconcile')
    .description(
      'Reads the settlements of some days from every provider, compares them with our records, ' +
        'explains every difference to the kobo, and compares all that is on record with the journal.',
    )
    .requiredOption('--from <date>', 'the first day, as 2026-11-01, in Lagos')
    .requiredOption('--to <date>', 'the last day, counted in; it may lie ahead')
    .option('--tenant <id>', 'only this tenant')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      `
Safe to run twice, at once with itself and the workers, and after being killed.
Rows that are locked are waited for: 2 minutes for each connection, 10 minutes in all.
Works on DATABASE_URL, or, when that is unset, on the running local stack of LOCAL_DIR.
Exit 0: everything that was due landed. Exit 3: discrepancies are open. Exit 1: not run, or not to its end; stderr says why.`,
    )
    .action((options: Options) => run(terminal, options, patience).catch(inASentence));
}

function inASentence(error: unknown): never {
  if (error instanceof SetupError || explain(error) !== (error as Error).stack) throw error;
  throw new SetupError(`Reconciliation did not run: ${reasonOf(error)}.`);
}

async function run(terminal: Terminal, { from, to, tenant, json }: Options, patience: Patience) {
  const days = daysIn(from, to);
  if (tenant !== undefined && !isId('ten', tenant))
    throw new SetupError('--tenant must be the id of a tenant: ten_ and 26 characters.');
  await using context = await openTerminalContext(terminal);
  const { stopped } = terminal;
  const connections = await untilTaken(patience, stopped, () =>
    listNamedConnections(context.db, tenant ?? null),
  );
  if (tenant !== undefined && connections.length === 0)
    throw new SetupError(`No connection belongs to a tenant ${tenant}.`);
  const results: Reconciled[] = [];
  for (const connection of connections) {
    if (stopped.aborted)
      throw new SetupError('Stopped. What was read is recorded; run it again to continue.');
    results.push(await reconcileOne(context, connection, days, stopped, patience));
  }
  const now = context.clock();
  const text = json
    ? JSON.stringify(reportObject(results, days, now))
    : printed(results, days, now);
  terminal.stdout.write(`${text}\n`);
  terminal.exitCode = exitCodeOf(results, terminal);
}

function exitCodeOf(results: readonly Reconciled[], { stderr }: Terminal): number {
  const failures = results.flatMap(({ connection, failure }) =>
    failure === null ? [] : [`${connection.id}: ${failure}`],
  );
  if (failures.length > 0) {
    stderr.write(`These could not be read completely:\n  ${failures.join('\n  ')}\n`);
    return 1;
  }
  const isClean = results.every(
    ({ report, books }) => report.sums.openCount + books.wrongCount === 0,
  );
  return isClean ? 0 : DISCREPANCIES;
}

function daysIn(from: string, to: string): ReportDays {
  for (const [name, day] of Object.entries({ from, to })) {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && DateTime.fromISO(day).isValid;
    if (!isDay) throw new SetupError(`--${name} must be a day, such as 2026-11-01.`);
  }
  if (from > to) throw new SetupError('--from must not be later than --to.');
  return { from, to };
}
