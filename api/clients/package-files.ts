import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const license = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8');
const service = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** Packages have the version of the service. */
export const { version } = JSON.parse(service) as { version: string };

/** The files of a package in a folder beside this one, with the license. */
export function packageFiles(name: string, publicUrl: string): Record<string, string> {
  const root = fileURLToPath(new URL(name, import.meta.url));
  const found = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  const textAt = (path: string) =>
    readFileSync(path, 'utf8')
      .replaceAll('{PUBLIC_URL}', publicUrl)
      .replaceAll('{VERSION}', version);
  const texts = paths.map((path) => [relative(root, path), textAt(path)]);
  return { ...Object.fromEntries(texts), LICENSE: license };
}

/** A module that exports each value by its name. */
export function moduleOf(constants: object): string {
  return Object.entries(constants)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value, null, 2)};\n`)
    .join('');
}
