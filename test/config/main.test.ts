import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';
import { explain } from '../../config/main.ts';

/** What is said of a database at this port. */
async function troubleAt(port: number): Promise<string | undefined> {
  const connectionString = `postgres://user:secret@127.0.0.1:${port}/payments`;
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 100 });
  const trouble = await pool.query('select 1').then(() => undefined, explain);
  await pool.end();
  return trouble;
}

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
