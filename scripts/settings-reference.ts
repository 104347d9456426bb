import { writeFile } from 'node:fs/promises';
import { baseUrlSettings, secretSettings, settings } from '../config/settings.ts';

export const settingsPage = 'config/settings.md';

interface Described {
  description: string;
  default?: string | number;
  minimum?: number;
  maximum?: number;
}

/** The page that lists every setting, made of the schema that checks the environment. */
export function settingsReference(): string {
  const all: [string, Described][] = Object.entries({ ...settings, ...baseUrlSettings });
  const rows = all.map(([name, setting]) => row(name, setting));
  return `${head}\n${rows.join('\n')}\n`;
}

const secrets = new Intl.ListFormat('en-GB').format(secretSettings.map((name) => `\`${name}\``));

const head = `# Settings

Environment variables, read and checked once at the start; a process whose settings contradict each
other refuses to start. \`npm run settings\` prints this page from [settings.ts](settings.ts);
[.env.example](../.env.example) has them as a file to begin with.

A secret may be in a file, which the setting of its name and \`_FILE\` names, as
\`MASTER_KEY_FILE=/run/secrets/master_key\`. Secrets are ${secrets}.

| Setting | Default | What it is |
|---|---|---|`;

function row(name: string, setting: Described): string {
  const { description, minimum, maximum } = setting;
  const range = minimum === undefined ? '' : ` (${minimum} to ${maximum})`;
  return `| \`${name}\` | ${defaultOf(setting)} | ${cell(description)}${range} |`;
}

function defaultOf(setting: Described): string {
  if (setting.default === undefined) return '**required**';
  return setting.default === '' ? 'empty' : `\`${setting.default}\``;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

if (import.meta.main) {
  await writeFile(new URL(`../${settingsPage}`, import.meta.url), settingsReference());
  process.stdout.write(`${settingsPage} is up to date.\n`);
}
