import { expect } from 'chai';
import type { Command } from 'commander';
import pg from 'pg';
import { openTerminalContext, type Terminal } from '../../scripts/command-line.ts';
import { ops } from '../../scripts/ops/program.ts';
import { newDatabase } from '../support/postgres.ts';
import { runHere } from '../support/run-here.ts';
import { settingsFor } from '../support/settings.ts';
import { until } from '../support/until.ts';

describe('A command line', () => {
  let settings: ReturnType<typeof settingsFor>;
  before(async () => {
    settings = settingsFor(await newDatabase());
  });

  const doing = (work: (terminal: Terminal) => Promise<void> | void) =>
    runHere(
      (root: Command, terminal) => void root.name('odd').action(() => work(terminal)),
      [],
      settings,
    );

  it('closes what it opened, however it ends', async () => {
    const client = new pg.Client({ connectionString: settings.DATABASE_URL });
    await client.connect();
    const open = async () => {
      const { rows } = await client.query(
        'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      return rows.length;
    };
    try {
      expect(
        await doing(async (terminal) => {
          await using _context = await openTerminalContext(terminal);
          expect(await open()).to.be.greaterThan(0);
        }),
      ).to.include({ code: 0, stderr: '' });
      expect((await runHere(ops, ['review', 'list'], settings)).code).to.equal(0);
      expect((await runHere(ops, ['review', 'accept', 'SV-1'], settings)).code).to.equal(1);
      await until('the end of its connections', async () => (await open()) === 0);
    } finally {
      await client.end();
    }
  });

  it('logs to its stderr', async () => {
    const { stdout, stderr } = await doing(async (terminal) => {
      await using context = await openTerminalContext(terminal);
      context.log.warn('odd', { reason: 'none' });
    });
    expect(stdout).to.equal('');
    expect(JSON.parse(stderr)).to.include({ level: 'warn', message: 'odd', reason: 'none' });
  });

  it('ends with the code it set, and leaves that of the process alone', async () => {
    const ended = await doing((terminal) => {
      terminal.exitCode = 3;
    });
    expect(ended).to.deep.equal({ code: 3, stdout: '', stderr: '' });
    expect(process.exitCode ?? 0).to.equal(0);
  });

  it('prints the stack of a defect, and ends with 1', async () => {
    const { code, stderr } = await doing(() => {
      throw new TypeError('Not foreseen');
    });
    expect(code).to.equal(1);
    expect(stderr).to.match(/^TypeError: Not foreseen\n {4}at /);
  });

  it('gives help on stdout where it was asked for, on stderr where no command was named', async () => {
    const asked = await runHere(ops, ['--help'], settings);
    expect([asked.code, asked.stderr]).to.deep.equal([0, '']);
    expect(asked.stdout).to.match(/^Usage: ops /);
    const lost = await runHere(ops, ['review'], settings);
    expect([lost.code, lost.stdout]).to.deep.equal([1, '']);
    expect(lost.stderr).to.match(/^Usage: ops review /);
  });
});
