import { flushCompileCache } from 'node:module';
import winston from 'winston';
import { openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { runUntilStopped, untilAborted } from '../../config/main.ts';
import { startPools } from '../../workers/pools.ts';

// The production fleet in a process that a test kills. Its clock runs on from the time of the
// test's clock.
await runUntilStopped(async (stopped) => {
  const offsetMs = Number(process.env.TEST_CLOCK_OFFSET_MS);
  const clock = () => new Date(Date.now() + offsetMs);
  const log = winston.createLogger({ silent: true });
  await using context = await openContext(readEnv(process.env), {
    clock,
    log,
    queuePrefix: process.env.TEST_QUEUE_PREFIX!,
  });
  await using _pools = startPools(context);
  flushCompileCache(); // a killed process would not leave it to the next one
  await untilAborted(stopped);
});
