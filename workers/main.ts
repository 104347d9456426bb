import { openContext } from '../config/context.ts';
import { readEnv } from '../config/env.ts';
import { runUntilStopped, untilAborted } from '../config/main.ts';
import { poolsNamed, startPools } from './pools.ts';

await runUntilStopped(async (stopped) => {
  const names = poolsNamed(process.argv.slice(2));
  await using context = await openContext(readEnv(process.env));
  await using _pools = startPools(context, names);
  context.log.info('workers started', { pools: names, queues: context.queues.kind });
  await untilAborted(stopped);
});
