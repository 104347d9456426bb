import { openContext } from '../config/context.ts';
import { readEnv } from '../config/env.ts';
import { listen } from '../config/listen.ts';
import { runUntilStopped, untilAborted } from '../config/main.ts';
import { poolsNamed, startPools } from './pools.ts';
import { createProbeServer } from './probes.ts';

await runUntilStopped(async (stopped) => {
  const names = poolsNamed(process.argv.slice(2));
  await using context = await openContext(readEnv(process.env));
  const { env, log, metrics, queues } = context;
  await using _pools = startPools(context, names);
  await using probes =
    env.workersPort === null
      ? undefined
      : await listen(
          createProbeServer(context, stopped),
          env.workersPort,
          undefined,
          'WORKERS_PORT',
        );
  metrics.measureProcess();
  log.info('workers started', { pools: names, queues: queues.kind, port: probes?.port });
  await untilAborted(stopped);
});
