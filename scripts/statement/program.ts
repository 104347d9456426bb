import { once } from 'node:events';
import type { Command } from 'commander';
import { DateTime } from 'luxon';
import { isMonth, withSha256 } from '../../api/statements/get-statement.ts';
import type { Context } from '../../config/context.ts';
import { SetupError } from '../../config/setup-error.ts';
import { providersBySlot } from '../../domain/accounts/connection/connections.ts';
import { listTenants } from '../../domain/accounts/tenant/business.ts';
import { hasMoney, statementOf } from '../../domain/settlements/statement/statement.ts';
import { isId } from '../../domain/shared/ids.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { openTerminalContext, type Terminal } from '../command-line.ts';
import { reasonOf } from '../reconcile/patience.ts';
import { type Drawn, endInWords, printed } from './print.ts';

type Options = { month: string; tenant?: string; json?: boolean };

/** The exit code where a statement does not add up; 1: the command did not run to its end. */
const WRONG = 3;
const TENANTS_AT_ONCE = 100;

/** `npm run statement`. */
export function statement(root: Command, terminal: Terminal): void {
  root
    .name('statement')
    .description('Draws up the statements of a month from the journal, one after the other.')
    .requiredOption('--month <month>', 'as 2026-11, in the time zone of each tenant')
    .option('--tenant <id>', 'only this tenant')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      `
Only reads. Each tenant has a statement of live and one of test mode; where no money ever moved
there is none.
Works on DATABASE_URL, or, when that is unset, on the running local stack of LOCAL_DIR.
Exit 0: every statement adds up. Exit 3: one does not. Exit 1: not run, or not to its end; stderr says why.`,
    )
    .action((options: Options) => run(terminal, options));
}

async function run(terminal: Terminal, { month, tenant, json = false }: Options) {
  if (!isMonth(month)) throw new SetupError('--month must be a month, such as 2026-11.');
  if (tenant !== undefined && !isId('ten', tenant))
    throw new SetupError('--tenant must be the id of a tenant: ten_ and 26 characters.');
  await using context = await openTerminalContext(terminal);
  if (month > latestMonth(context.clock())) throw new SetupError('--month must not lie ahead.');
  const only = tenant ?? null;
  if (only !== null && (await listTenants(context.db, { only, after: '', limit: 1 })).length === 0)
    throw new SetupError(`There is no tenant ${only}.`);
  const write = async (text: string) => {
    if (!terminal.stdout.write(text)) await once(terminal.stdout, 'drain');
  };
  const end = { count: 0, wrong: 0, complete: false };
  if (json) await write(`{"month":"${month}","statements":[`);
  try {
    for await (const drawn of drawnUp(context, month, only)) {
      terminal.stopped.throwIfAborted();
      const separator = end.count === 0 ? '' : ',';
      await write(json ? separator + JSON.stringify(drawn.statement) : `${printed(drawn)}\n\n`);
      end.count++;
      if (!drawn.statement.check.balanced) end.wrong++;
    }
    end.complete = true;
  } catch (error) {
    terminal.stderr.write(`Not drawn up to the end: ${reasonOf(error)}.\n`);
  }
  await write(json ? `],${JSON.stringify(end).slice(1)}\n` : `${endInWords(month, end)}\n`);
  terminal.exitCode = end.complete ? (end.wrong > 0 ? WRONG : 0) : 1;
}

/** That of the earliest time zone. */
function latestMonth(now: Date): string {
  return DateTime.fromJSDate(now, { zone: 'UTC+14' }).toFormat('yyyy-MM');
}

/** In the order of tenants, of whom some are in memory at once. */
async function* drawnUp(
  context: Context,
  month: string,
  only: string | null,
): AsyncGenerator<Drawn> {
  const { db, clock } = context;
  for (let after = ''; ; ) {
    const tenants = await listTenants(db, { only, after, limit: TENANTS_AT_ONCE });
    for (const { id: tenantId, name } of tenants)
      for (const mode of ['live', 'test'] as const) {
        const reader = { tenantId, mode };
        const wanted = { month, provider: null, now: clock() };
        const found = await statementOf(db, reader, wanted).catch(withoutMonth);
        if (!found || !hasMoney(found)) continue;
        const providers = await providersBySlot(db, reader);
        yield { name, providers, statement: withSha256(found) };
      }
    if (tenants.length < TENANTS_AT_ONCE) return;
    after = tenants.at(-1)!.id;
  }
}

/** It lies ahead, or before the tenant. */
function withoutMonth(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}
