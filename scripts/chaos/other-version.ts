import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from '../../config/setup-error.ts';
import { run } from '../local/run-as.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Unpacks a revision of the service below `dir`, with the packages of this version. A version
 * (`v1.0.0`) whose tag was not fetched is found by the commit that released it.
 */
export async function unpackVersion(wanted: string, dir: string): Promise<string> {
  const [, version] = /^v(\d+\.\d+\.\d+)$/.exec(wanted) ?? [];
  const revision = version ? ((await releases()).get(version) ?? wanted) : wanted;
  const folder = join(dir, 'other-version');
  const archive = join(dir, 'other-version.tar');
  const made = await run('git', ['-C', root, 'archive', `--output=${archive}`, revision]);
  if (!made.ok || revision.startsWith('-'))
    throw new SetupError(`There is no version ${revision} to run beside this one: ${made.output}`);
  await mkdir(folder);
  const unpacked = await run('tar', ['-x', '-f', archive, '-C', folder]);
  if (!unpacked.ok)
    throw new SetupError(`Version ${revision} cannot be unpacked: ${unpacked.output}`);
  await rm(archive);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** A module of the version in this folder; undefined: of this one. */
export const importFrom = (folder: string | undefined, path: string) =>
  import(join(folder ?? root, path));

const RELEASE = /^(\w+) Release (\d+\.\d+\.\d+)$/;

/** The commit of each version that was released before or with this one, newest first. */
export async function releases(): Promise<Map<string, string>> {
  const log = await run('git', ['-C', root, 'log', '--format=%H %s', '--grep=^Release [0-9]']);
  const found = log.output.split('\n').map((line) => RELEASE.exec(line));
  return new Map(found.flatMap((match) => (match ? [[match[2]!, match[1]!]] : [])));
}
