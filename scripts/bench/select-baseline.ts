import { createServer } from 'node:http';
import express from 'express';
import pg from 'pg';
import { listen } from '../../config/listen.ts';
import { runUntilStopped, untilAborted } from '../../config/main.ts';

/**
 * The baseline for reading a charge: the cost of Express, pg and one select of a charge by its
 * number on this machine, without credential, validation and log. It runs in its own process with
 * the service's settings and table.
 */
await runUntilStopped(async (stopped) => {
  const pool = new pg.Pool({
    connectionString: process.env.DATABASE_URL,
    max: Number(process.env.DATABASE_POOL_SIZE),
  });
  const app = express();
  app.get('/', (_request, response) => void response.json({}));
  app.get('/charges/:reference', async (request, response) => {
    const { rows } = await pool.query('select * from charges where number = $1', [
      request.params.reference.slice('SV-'.length),
    ]);
    response.json(rows[0]);
  });
  await using _server = await listen(createServer(app), Number(process.env.PORT));
  await untilAborted(stopped);
  await pool.end();
});
