import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import pg from 'pg';
import { explain } from '../../config/main.ts';
import { killed } from '../support/killed.ts';

const MAIN = JSON.stringify(new URL('../../config/main.ts', import.meta.url));

async function troubleAt(port: number): Promise<string | undefined> {
  const connectionString = `postgres://user:secret@127.0.0.1:${port}/payments`;
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 100 });
  const trouble = await pool.query('select 1').then(() => undefined, explain);
  await pool.end();
  return trouble;
}

describe('A process that is told to stop', () => {
  let child: ChildProcessWithoutNullStreams;
  afterEach(() => killed(child));

  const start = (program: string) => {
    child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  };

  it('twice, as npm does with Ctrl-C, stops once and in order', async () => {
    start(`
      import { runUntilStopped, untilAborted } from ${MAIN};
      const alive = setInterval(() => {}, 1000);
      await runUntilStopped(async (stopped) => {
        process.stdout.write('running');
        await untilAborted(stopped);
        process.stdout.write('stopping');
        await new Promise((resolve) => process.stdin.once('data', resolve));
        process.stdout.write('stopped');
      });
      clearInterval(alive);`);
    const said = text(child.stdout);
    for (let signals = 0; signals < 2; signals++) {
      await once(child.stdout, 'data');
      child.kill('SIGINT');
    }
    child.stdin.end('go on');
    const [code] = await once(child, 'exit');
    expect([code, await said]).to.deep.equal([0, 'runningstoppingstopped']);
  });

  it('ends by SIGKILL to itself when its time is over, though exiting would hang', async () => {
    start(`
      import { runUntilStopped } from ${MAIN};
      process.on('exit', () => { for (;;); });
      setInterval(() => {}, 1000);
      await runUntilStopped(() => {
        process.stdout.write('running');
        return new Promise(() => {});
      }, 50);`);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [ended, said] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
    expect(ended).to.deep.equal([null, 'SIGKILL']);
    expect(said).to.match(/did not stop within 0.05 s and is ended now/);
  });
});

describe('A process that cannot use its database', () => {
  it('says so in a sentence where nobody answers', async () => {
    expect(await troubleAt(1)).to.match(/^The database cannot be used: nobody answers .* Check/);
  });

  it('says so where something accepts the connection and is silent', async () => {
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    expect(await troubleAt(port)).to.match(/^The database cannot be used: it does not answer\./);
    silent.close();
  });
});
