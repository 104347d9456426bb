import type { Context } from '../../config/context.ts';
import { type Backfilled, backfillJournal } from '../../domain/backfill-journal.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Terminal } from '../command-line.ts';
import { checkJournal } from './check-journal.ts';
import type { OperatorCommand, Printed } from './operate.ts';

export const journalCommands: OperatorCommand[] = [
  {
    name: 'check',
    description:
      'Compares all that is on record with the journal, of every connection. Exit 3: they differ, ' +
      'and discrepancies of kind `books` say where.',
    run: (context, _options, _argument, terminal) => checkJournal(context, terminal),
  },
  {
    name: 'backfill',
    description:
      'Posts what is on record and not in the journal, as if it had been posted then: once, in a ' +
      'database from before the journal. May be interrupted and repeated, while the service runs.',
    run: (context, _options, _argument, terminal) => backfill(context, terminal),
  },
];

const TOLD_EVERY_MS = 5_000;

async function backfill(context: Context, { stderr, stopped }: Terminal): Promise<Printed> {
  const posted = { charges: 0, settlements: 0 };
  let toldAtMs = Date.now();
  for await (const step of backfillJournal(context)) {
    posted.charges += step.charges;
    posted.settlements += step.settlements;
    if (stopped.aborted)
      throw new Problem('invalid_state', `Stopped after ${amountOf(posted)}. ${AGAIN}`);
    if (Date.now() - toldAtMs < TOLD_EVERY_MS) continue;
    toldAtMs = Date.now();
    stderr.write(`${amountOf(posted)}, ${placeOf(step)}\n`);
  }
  const isWhole = posted.charges + posted.settlements === 0;
  const lacked = isWhole ? 'nothing' : `those of ${amountOf(posted)}`;
  const text = `The journal has every movement of money on record: it lacked ${lacked}.`;
  return { object: posted, text };
}

const AGAIN = 'Run it again to go on.';

const amountOf = ({ charges, settlements }: Pick<Backfilled, 'charges' | 'settlements'>) =>
  `${charges} charges and ${settlements} settlements`;

const placeOf = ({ connection: { tenant, tenant_id: id, mode }, until }: Backfilled) =>
  `now at ${tenant} (${id}, ${mode}), ${until.toISOString().slice(0, 10)}`;
