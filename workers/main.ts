import { type Context, openContext } from '../config/context.ts';
import { readEnv } from '../config/env.ts';
import { type Listening, listen } from '../config/listen.ts';
import { runUntilStopped, untilAborted } from '../config/main.ts';
import { warnOfNewerDatabase } from '../config/newer-database.ts';
import { poolsNamed, startPools } from './pools.ts';
import { createProbeServer } from './probes.ts';

await runUntilStopped(async (stopped) => {
  const names = poolsNamed(process.argv.slice(2));
  await using context = await openContext(readEnv(process.env));
  await warnOfNewerDatabase(context);
  const { log, metrics, queues } = context;
  await using probes = await listenForProbes(context, stopped);
  await using _pools = startPools(context, names);
  metrics.measureProcess();
  log.info('workers started', { pools: names, queues: queues.kind, port: probes?.port });
  await untilAborted(stopped);
});

async function listenForProbes(
  context: Context,
  stopped: AbortSignal,
): Promise<Listening | undefined> {
  const { workersPort } = context.env;
  if (workersPort === null) return undefined;
  return listen(createProbeServer(context, stopped), workersPort, undefined, 'WORKERS_PORT');
}
