import { createServer } from 'node:http';
import { expect } from 'chai';
import { listen } from '../../../config/listen.ts';
import { freePort } from '../../../scripts/local/free-port.ts';
import { emptyDatabase } from '../../support/postgres.ts';
import { run } from '../../support/run.ts';
import { until } from '../../support/until.ts';

const main = ['scripts/sandbox/main.ts'];

describe('sandbox: npm run sandbox', () => {
  it('refuses in one sentence to start without a database, or where its port is in use', async () => {
    await using occupant = await listen(createServer(), 0, '127.0.0.1');
    const taken = String(occupant.port);
    const refused: [args: string[], database: string, says: RegExp][] = [
      [[], '', /^No database: set DATABASE_URL or pass --database-url\.\n$/],
      [
        ['--database-url', 'postgres://nobody@127.0.0.1:1/none', '--port', '0'],
        '',
        /^The sandbox cannot start with this database: .+\.\n$/,
      ],
      [
        ['--port', taken],
        await emptyDatabase(),
        new RegExp(`^Port ${taken} is in use: choose another with --port\\.\n$`),
      ],
    ];
    const runs = await Promise.all(
      refused.map(([args, DATABASE_URL]) => run([...main, ...args], { DATABASE_URL })),
    );
    for (const [n, { code, stderr }] of runs.entries()) {
      expect(code).to.equal(1);
      expect(stderr).to.match(refused[n]![2]);
    }
  });

  it('prints its address, and ends cleanly at Ctrl-C', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const args = [...main, '--database-url', await emptyDatabase(), '--port', String(port)];
    const ended = await run(args, {}, async (kill) => {
      const isUp = async () => (await fetch(`${url}/_control/stats`).catch(() => undefined))?.ok;
      await until('its answer', isUp);
      kill('SIGINT');
    });
    expect(ended).to.include({ code: 0, stderr: '' });
    expect(ended.stdout).to.include(url);
  });
});
