import { setTimeout } from 'node:timers/promises';
import { openContext } from '../config/context.ts';
import { readEnv } from '../config/env.ts';
import { listen } from '../config/listen.ts';
import { runUntilStopped, untilAborted } from '../config/main.ts';
import { warnOfNewerDatabase } from '../config/newer-database.ts';
import { createApiServer } from './server.ts';

await runUntilStopped(async (stopped) => {
  await using context = await openContext(readEnv(process.env));
  await warnOfNewerDatabase(context);
  await using server = await listen(createApiServer(context, stopped), context.env.port);
  context.metrics.measureProcess();
  context.log.info('api listening', { port: server.port, queues: context.queues.kind });
  await untilAborted(stopped);
  await setTimeout(context.env.drainMs);
});
