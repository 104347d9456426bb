import type { Context } from '../../config/context.ts';
import {
  findConnection,
  listNamedConnections,
} from '../../domain/accounts/connection/connection.ts';
import { reportBooks } from '../../domain/settlements/books/report.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Terminal } from '../command-line.ts';
import type { Printed } from './operate.ts';

/** The exit code where records and journal differ; 1 where they could not be compared. */
const DIFFERENT = 3;

/** Compares all that is on record with the journal, of every connection, to the end. */
export async function checkJournal(context: Context, terminal: Terminal): Promise<Printed> {
  const { db, inTx } = context;
  const { stopped } = terminal;
  const connections = await listNamedConnections(db, null);
  let wrong = 0;
  for (const { id } of connections) {
    const account = (await findConnection(db, id))!;
    const hasTime = () => !stopped.aborted;
    const { isWhole, wrongCount } = await reportBooks({ db, inTx, account, hasTime });
    if (!isWhole) throw new Problem('invalid_state', 'Stopped before all was compared.');
    wrong += wrongCount;
  }
  if (wrong > 0) terminal.exitCode = DIFFERENT;
  const text =
    wrong === 0
      ? `The journal agrees with every record of ${connections.length} connections.`
      : `The journal differs from ${wrong} records: npm run ops -- discrepancy list --kind books`;
  return { object: { connections: connections.length, wrong_records: wrong }, text };
}
