import { Command, CommanderError } from 'commander';
import { type Context, openContext } from '../config/context.ts';
import { createLogger } from '../config/logger.ts';
import { explain, runUntilStopped } from '../config/main.ts';
import { operatorEnv } from './local/operator-env.ts';

/** What a command reads from and writes to, and the signal that stops it. */
export interface CommandIo {
  env: NodeJS.ProcessEnv;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
  stopped: AbortSignal;
}

export interface Terminal extends CommandIo {
  /** The exit code of a command that succeeded; a command that throws exits 1. */
  exitCode: number;
}

/** Adds a program's commands to `root`; they print on `terminal`. */
export type Program = (root: Command, terminal: Terminal) => void;

/** Runs a program as the process it was started in, until it ends or the process is stopped. */
export function startProgram(program: Program): Promise<void> {
  const { argv, env, stdout, stderr } = process;
  return runUntilStopped(async (stopped) => {
    process.exitCode = await runProgram(program, argv.slice(2), { env, stdout, stderr, stopped });
  });
}

/** Runs a program to its end and resolves with its exit code; it closes what it opens. */
export async function runProgram(program: Program, args: readonly string[], io: CommandIo) {
  const terminal: Terminal = { ...io, exitCode: 0 };
  const { stdout, stderr } = terminal;
  const root = new Command().exitOverride().configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
  });
  program(root, terminal);
  try {
    await root.parseAsync(args, { from: 'user' });
    return terminal.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode; // it has printed why, or the help
    stderr.write(`${explain(error)}\n`);
    return 1;
  }
}

/** Opens the context of a command; its log goes to stderr. */
export async function openTerminalContext({ env, stderr }: Terminal): Promise<Context> {
  const settings = await operatorEnv(env);
  return openContext(settings, { log: createLogger(settings.logLevel, stderr) });
}
