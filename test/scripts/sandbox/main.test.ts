import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { databaseUrl } from './support.ts';

const mainPath = join(import.meta.dirname, '../../../scripts/sandbox/main.ts');

function run(args: string[], env: Record<string, string> = {}) {
  const { DATABASE_URL: _unset, ...inherited } = process.env;
  const child = spawn(process.execPath, [mainPath, ...args], { env: { ...inherited, ...env } });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code, ...output })) };
}

describe('sandbox: npm run sandbox', () => {
  it('refuses in one sentence to start without a database', async () => {
    const { code, stderr } = await run([]).ended;
    expect(code).to.equal(1);
    expect(stderr).to.equal('No database: set DATABASE_URL or pass --database-url.\n');
  });

  it('reports in one sentence that the database does not answer', async () => {
    const { code, stderr } = await run([
      '--database-url',
      'postgres://nobody@127.0.0.1:1/none',
      '--port',
      '0',
    ]).ended;
    expect(code).to.equal(1);
    expect(stderr).to.match(/^The sandbox cannot start with this database: .+\.\n$/);
  });

  it('reports in one sentence that the port is in use', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    const { code, stderr } = await run(['--port', String(port)], {
      DATABASE_URL: await databaseUrl(),
    }).ended;
    occupant.close();
    expect(code).to.equal(1);
    expect(stderr).to.equal(`Port ${port} is in use: choose another with --port.\n`);
  });

  it('prints its address, and ends cleanly at Ctrl-C', async () => {
    const { child, ended } = run(['--database-url', await databaseUrl(), '--port', '0']);
    const [line] = await once(child.stdout!, 'data');
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(line)) ?? [];
    expect((await fetch(`${url}/_control/stats`)).status).to.equal(200);
    child.kill('SIGINT');
    expect(await ended).to.include({ code: 0, stderr: '' });
  });
});
