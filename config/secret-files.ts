import { readFileSync } from 'node:fs';
import { secretSettings } from './settings.ts';
import { SetupError } from './setup-error.ts';

type Source = Record<string, string | undefined>;

/** The environment, with each secret whose `<NAME>_FILE` is set read from that file. */
export function withSecretFiles(source: Source): Source {
  const named = secretSettings.filter((name) => source[`${name}_FILE`]);
  return { ...source, ...Object.fromEntries(named.map((name) => [name, read(source, name)])) };
}

function read(source: Source, name: string): string {
  const setting = `${name}_FILE`;
  if (source[name]) throw new SetupError(`${name} and ${setting} are both set: set one of them.`);
  try {
    // Editors and shells end a file with a new line.
    return readFileSync(source[setting]!, 'utf8').trimEnd();
  } catch (error) {
    throw new SetupError(`${setting} is not right: ${(error as Error).message}.`);
  }
}
