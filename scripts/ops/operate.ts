import { type Command, Option } from 'commander';
import type { Context } from '../../config/context.ts';
import { SetupError } from '../../config/setup-error.ts';
import type { Actor } from '../../domain/accounts/audit-log/record-change.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Reader } from '../../domain/shared/reader.ts';
import { openTerminalContext, type Terminal } from '../command-line.ts';

interface Output {
  json?: boolean;
}

/** The output of a command: an object for programs, and a text for people. */
export interface Printed {
  object: object;
  text: string;
}

/** A command of an operator; `--json` is an option of every one. */
export interface OperatorCommand<Options> {
  /** With its argument, if it takes one. */
  name: string;
  description: string;
  options?: readonly Option[];
  run(context: Context, options: Options, argument: string): Promise<Printed>;
}

/** Adds a command, which prints what it returns. A refusal is one sentence, and exit code 1. */
export function addCommand<Options>(
  parent: Command,
  terminal: Terminal,
  { name, description, options = [], run }: OperatorCommand<Options>,
): void {
  const command = parent.command(name).description(description);
  for (const option of options) command.addOption(option);
  command.option('--json', 'print one JSON object and nothing else');
  command.action(async (...given: unknown[]) => {
    const [chosen, argument = ''] = given.slice(0, -1).reverse(); // the last is the command
    const { json } = chosen as Output;
    await using context = await openTerminalContext(terminal);
    const result = run(context, chosen as Options, String(argument));
    const { object, text } = await result.catch(refuse);
    terminal.stdout.write(json ? `${JSON.stringify(object)}\n` : `${text}\n`);
  });
}

/** The options of a list, besides its own. */
export interface ListOptions {
  limit: string;
  before?: string;
}

export const limitOption = () =>
  new Option('--limit <number>', 'most of them, 1 to 1000').default('50');

export function limitOf({ limit: given }: ListOptions): number {
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit;
  throw new Problem('validation_failed', '--limit must be 1 to 1000.');
}

/** A list as it is printed; `none` is said of an empty one. */
export function listed<Row>(
  rows: readonly Row[],
  viewOf: (row: Row) => object,
  describe: (row: Row) => string,
  none: string,
): Printed {
  const text = rows.length === 0 ? none : rows.map(describe).join('\n');
  return { object: { data: rows.map(viewOf) }, text };
}

function refuse(error: unknown): never {
  throw error instanceof Problem ? new SetupError(error.message) : error;
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
