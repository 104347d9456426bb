import type { Context } from '../../config/context.ts';
import { SetupError } from '../../config/setup-error.ts';
import type { Actor } from '../../domain/accounts/audit-log/record-change.ts';
import type { Job } from '../../domain/jobs.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Reader } from '../../domain/shared/reader.ts';
import type { Tx } from '../../domain/shared/tx.ts';
import { openTerminalContext, type Terminal } from '../command-line.ts';

/** The options of every command. */
export interface Output {
  json?: boolean;
}

/** The output of a command: an object for programs, and a text for people. */
export interface Printed {
  object: object;
  text: string;
}

/**
 * Runs a command of an operator and prints the result. A refusal is one sentence on stderr, and
 * exit code 1.
 */
export async function operate(
  terminal: Terminal,
  { json }: Output,
  work: (context: Context) => Promise<Printed>,
): Promise<void> {
  await using context = await openTerminalContext(terminal);
  const { object, text } = await work(context).catch(refuse);
  terminal.stdout.write(json ? `${JSON.stringify(object)}\n` : `${text}\n`);
}

function refuse(error: unknown): never {
  throw error instanceof Problem ? new SetupError(error.message) : error;
}

/** Runs a change in one transaction and enqueues its jobs. */
export async function change<T>(
  context: Context,
  work: (tx: Tx) => Promise<T & { jobs: Job[] }>,
): Promise<T> {
  let done: (T & { jobs: Job[] }) | undefined;
  await context.inTx(async (tx) => {
    done = await work(tx);
    return done.jobs;
  });
  return done!;
}

/** The operator, as the audit log of a tenant names them. */
export function operatorOf({ tenantId, mode }: Reader): Actor {
  return { tenantId, mode, subjectId: 'operator', memberId: null };
}

/** The note, or a refusal that says why it is not valid. */
export function noteOf(note: string | undefined): string | null {
  if (note === undefined) return null;
  if (note.trim() === '' || note.length > 500 || note.includes('\0'))
    throw new SetupError('--note must be 1 to 500 characters.');
  return note;
}
