import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { rootFile } from '../bench/processes.ts';

export const readRoot = (path: string) => readFile(rootFile(path), 'utf8');

/** What stands in the committed files, and what stands for it on this machine. */
export type Places = Readonly<Record<string, string>>;

/** Writes a committed file into a folder, with what it names replaced. Returns its new path. */
export async function placeFile(path: string, folder: string, places: Places): Promise<string> {
  const placed = join(folder, basename(path));
  await mkdir(folder, { recursive: true });
  await writeFile(placed, replaced(await readRoot(path), places));
  return placed;
}

/** The longest names first: one may begin with another. */
export function replaced(text: string, places: Places): string {
  const names = Object.keys(places).sort((one, other) => other.length - one.length);
  return names.reduce((done, name) => done.replaceAll(name, places[name]!), text);
}

/** The services of compose.yaml, with a secret of its own for every variable that must be set. */
export async function readCompose(given: Record<string, string>) {
  const settings = { ...given };
  const { services } = parse(await readRoot('compose.yaml'), { merge: true });
  const filled = JSON.stringify(services).replaceAll(
    /\$\{([A-Z_]+)(?::-([^}]*)|:\?)?\}/g,
    (_whole, name, preset = randomBytes(24).toString('hex')) => (settings[name] ??= preset),
  );
  return { services: JSON.parse(filled) as Record<string, Service>, settings };
}

export interface Service {
  command: string[];
  environment: Record<string, string | number>;
}
