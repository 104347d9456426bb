import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { killed } from './killed.ts';

const starters = {
  curl: { file: 'sample.sh', command: 'sh', check: ['curl', '--version'] },
  node: { file: 'sample.mjs', command: process.execPath, check: [process.execPath, '--version'] },
  python: { file: 'sample.py', command: 'python3', check: ['python3', '--version'] },
  php: {
    file: 'sample.php',
    command: 'php',
    check: ['php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
  },
  go: {
    file: 'sample.go',
    command: './sample',
    check: ['sh', '-c', 'go version | grep -Eq "go1\\.(2[4-9]|[3-9][0-9])"'],
    build: ['build', 'sample.go'],
  },
} satisfies Record<string, Starter>;

interface Starter {
  file: string;
  command: string;
  /** Ends with 0 where the language can be run. */
  check: string[];
  /** Of `go`: what is started without, would outlive its kill. */
  build?: string[];
}

export type Language = keyof typeof starters;

export function isRunnable(language: Language): boolean {
  const [command, ...options] = starters[language].check;
  if (spawnSync(command!, options, { stdio: 'ignore' }).status === 0) return true;
  process.stdout.write(
    `\n*** No ${language} on the PATH: its samples in the reference are SKIPPED. ***\n`,
  );
  return false;
}

export async function runProgram(
  language: Language,
  code: string,
  env: Record<string, string> = {},
): Promise<string> {
  await using program = await startProgram(language, code, env);
  const [exit] = await once(program.child, 'close');
  if (exit !== 0) throw new Error(`The ${language} program failed: ${await program.errors}`);
  return program.printed();
}

export interface Program extends AsyncDisposable {
  child: ReturnType<typeof spawn>;
  printed(): string;
  errors: Promise<string>;
}

/**
 * Starts a program with only the PATH and `env` in its environment; kills it at the end. Packages
 * that it imports are in `packages`, a `node_modules`.
 */
export async function startProgram(
  language: Language,
  code: string,
  env: Record<string, string>,
  options: readonly string[] = [],
  packages?: string,
): Promise<Program> {
  const { file, command, build }: Starter = starters[language];
  const dir = await mkdtemp(join(tmpdir(), 'sample-'));
  await writeFile(join(dir, file), code);
  if (packages) await symlink(packages, join(dir, 'node_modules'));
  if (build) await promisify(execFile)('go', build, { cwd: dir });
  const child = spawn(command, [...options, file], {
    cwd: dir,
    env: { PATH: process.env.PATH!, HOME: dir, TMPDIR: dir, ...env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  }
  return {
    child,
    printed: () => printed,
    errors: text(child.stderr),
    async [Symbol.asyncDispose]() {
      await killed(child);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
