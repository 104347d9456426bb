import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Command } from 'commander';
import { ops } from '../../scripts/ops/program.ts';
import { openDatabase } from '../../scripts/sandbox/database.ts';
import { readAlerts } from '../support/alert-rules.ts';
import { newDatabase } from '../support/postgres.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');

describe('The runbook', () => {
  let text: string;
  let commands: string[];
  before(async () => {
    text = await read('config/runbook.md');
    const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
    const inline = [...text.matchAll(/`(npm run [^`…]*)`/g)].map(([, command]) => command!);
    commands = [...blocks.flatMap((block) => block.trim().split('\n')), ...inline];
  });

  it('answers the same four questions in twenty-four situations', () => {
    const situations = text.split(/^## /m).slice(1);
    expect(situations).to.have.length(24);
    situations.forEach((situation, n) => {
      expect(situation).to.match(new RegExp(`^${n + 1}\\. `));
      for (const part of ['Shows', 'By itself', 'Do', 'Over'])
        expect(situation.split(`**${part}.**`), `${part} of ${n + 1}`).to.have.length(2);
    });
  });

  it('has commands that exist, with options that exist', async () => {
    const { scripts } = JSON.parse(await read('package.json'));
    const program = new Command();
    ops(program, {} as never);
    const known = /^(npm run|psql|curl|docker compose) /;
    for (const command of commands) {
      expect(command).to.match(known);
      const [, name, args = ''] = /^npm run ([\w-]+)(?: -- ?(.*))?$/.exec(command) ?? [];
      if (name) expect(scripts, command).to.have.property(name);
      if (name === 'ops' && args) checkOps(program, args, command);
    }
    expect(commands.filter((command) => command.includes(' ops '))).to.have.length.above(10);
  });

  it('has queries that run on our tables', async () => {
    await using database = openDatabase(await newDatabase());
    const queries = commands.flatMap((command) => /^psql .* -c "(.*)"$/.exec(command)?.[1] ?? []);
    expect(queries).to.have.length.above(4);
    for (const query of queries) await database.sql.query(query);
  });

  it('names figures, alerts and log lines that exist', async () => {
    const figures = await sourcesOf('api/operations/', 'config/');
    for (const [figure] of text.matchAll(/pcs_\w+/g)) expect(figures).to.include(`'${figure}'`);
    const names = (await readAlerts()).map(({ alert }) => alert);
    const named = text.matchAll(/`([A-Z][a-z]+[A-Z][A-Za-z]+)`/g);
    expect([...new Set([...named].map(([, name]) => name))].sort()).to.deep.equal(names.sort());
    const sources = await sourcesOf('api/', 'workers/', 'config/');
    for (const [, first, second] of text.matchAll(/[Ll]og\s+`([^`]+)`(?:,\s+and `([^`]+)`)?/g))
      for (const line of [first, second])
        if (line && !line.startsWith('pcs_')) expect(sources).to.include(`'${line}'`);
  });

  it('is what each alert points to, beside the action to take first', async () => {
    for (const { alert, annotations } of await readAlerts()) {
      expect(annotations, alert).to.have.all.keys('summary', 'action', 'runbook');
      const heading = annotations.runbook!.replace('config/runbook.md: ', '');
      expect(text, alert).to.match(new RegExp(`^## \\d+\\. ${heading}$`, 'm'));
    }
  });
});

function checkOps(program: Command, args: string, command: string): void {
  let found = program;
  for (const word of args.split(' ')) {
    const next = found.commands.find((candidate) => candidate.name() === word);
    if (!next) break;
    found = next;
  }
  expect(found.commands, `${command}: which one?`).to.have.length(0);
  const options = found.options.map(({ long }) => long);
  for (const [option] of args.matchAll(/--[a-z-]+/g)) expect(options, command).to.include(option);
}

async function sourcesOf(...folders: string[]): Promise<string> {
  const files = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(new URL(folder, root), { recursive: true });
      return names.filter((name) => name.endsWith('.ts')).map((name) => folder + name);
    }),
  );
  return (await Promise.all(files.flat().map(read))).join('\n');
}
