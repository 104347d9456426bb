import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from '../../config/setup-error.ts';
import { run } from '../local/run-as.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Unpacks a revision of the service below `dir`, with the packages of this version. */
export async function unpackVersion(revision: string, dir: string): Promise<string> {
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
