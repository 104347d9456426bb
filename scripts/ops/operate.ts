import { type Command, Option } from 'commander';
import type { Context } from '../../config/context.ts';
import { basicAuthorization } from '../../config/operators.ts';
import { SetupError } from '../../config/setup-error.ts';
import type { Actor } from '../../domain/accounts/audit-log/record-change.ts';
import { type IdPrefix, isId } from '../../domain/shared/ids.ts';
import { Problem } from '../../domain/shared/problems.ts';
import type { Reader } from '../../domain/shared/reader.ts';
import type { Tx } from '../../domain/shared/tx.ts';
import { openTerminalContext, type Terminal } from '../command-line.ts';

/** The output of a command: an object for programs, and a text for people. */
export type Printed = { object: object; text: string };

/** A command of an operator, named with its argument; `--json` is an option of every one. */
export interface OperatorCommand {
  name: string;
  description: string;
  options?: readonly Option[];
  run(context: Context, options: never, argument: string, terminal: Terminal): Promise<Printed>;
}

/** Adds a command, which prints what it returns. A refusal is one sentence, and exit code 1. */
export function addCommand(
  parent: Command,
  terminal: Terminal,
  { name, description, options = [], run }: OperatorCommand,
): void {
  const command = parent.command(name).description(description);
  for (const option of options) command.addOption(option);
  command.option('--json', 'print one JSON object and nothing else');
  command.action(async (...given: unknown[]) => {
    const [chosen, argument = ''] = given.slice(0, -1).reverse(); // the last is the command
    await using context = await openTerminalContext(terminal);
    const result = run(context, chosen as never, String(argument), terminal);
    const { object, text } = await result.catch(refuse);
    const { json } = chosen as { json?: boolean };
    terminal.stdout.write(json ? `${JSON.stringify(object)}\n` : `${text}\n`);
  });
}

function refuse(error: unknown): never {
  throw error instanceof Problem ? new SetupError(error.message) : error;
}

export const required = (flags: string, description: string) =>
  new Option(flags, description).makeOptionMandatory();

/** The options of a list, besides its own. */
export type ListOptions = { limit: string; before?: string };

export const limitOption = new Option('--limit <number>', 'most of them, 1 to 1000').default('50');

export function limitOf({ limit: given }: ListOptions): number {
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit;
  throw new Problem('validation_failed', '--limit must be 1 to 1000.');
}

/** How rows of one kind are printed; `none` is said of an empty list. */
export type Shown<Row> = { none: string; viewOf(row: Row): object; describe(row: Row): string };

export function listed<Row extends { tenant_id: string }>(
  rows: readonly Row[],
  { viewOf, describe, none }: Shown<Row>,
): Printed {
  const text = rows.length === 0 ? none : rows.map(describe).join('\n');
  return { object: { data: rows.map((row) => withTenant(row, viewOf)) }, text };
}

const withTenant = <Row extends { tenant_id: string }>(row: Row, viewOf: (row: Row) => object) => ({
  ...viewOf(row),
  tenant_id: row.tenant_id,
});

/**
 * Who runs the command, for the audit log: `operator:` and the name, or `operator` where there is
 * but one. Refuses whoever is none of the OPERATORS.
 */
export async function actorOf({ env, operators }: Context): Promise<string> {
  if (env.operators === null) return 'operator';
  const name = await operators.nameFrom(basicAuthorization(env.operator));
  if (name !== undefined) return `operator:${name}`;
  throw new SetupError(
    'Say who you are: set OPERATOR_USER and OPERATOR_PASSWORD to those of one of the OPERATORS.',
  );
}

/** Decides about a row of a tenant, as the operator in the tenant's audit log. */
export async function decide<Row extends { tenant_id: string }>(
  context: Context,
  { tenantId, mode }: Reader,
  { viewOf, describe }: Pick<Shown<Row>, 'viewOf' | 'describe'>,
  decision: (tx: Tx, operator: Actor) => Promise<Row>,
): Promise<Printed> {
  const operator = { tenantId, mode, subjectId: await actorOf(context), memberId: null };
  const row = await context.inTx((tx) => decision(tx, operator));
  return { object: withTenant(row, viewOf), text: describe(row) };
}

/** Refuses what is no id of the kind. */
export function expectId(prefix: IdPrefix, id: string, kind: string): void {
  if (isId(prefix, id)) return;
  throw new Problem('not_found', `${id} is no ${kind}: their ids begin with ${prefix}_.`);
}

/** The note, or a refusal that says why it is not valid. */
export function noteOf(note: string | undefined): string | null {
  return note === undefined ? null : sentenceOf('--note', note);
}

export function sentenceOf(option: string, text: string): string {
  if (text.trim() !== '' && text.length <= 500 && !text.includes('\0')) return text;
  throw new Problem('validation_failed', `${option} must be 1 to 500 characters.`);
}
