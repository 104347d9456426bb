import { createApiServer } from '../../api/server.ts';
import { openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { rateLimits } from '../../config/limits/rate-limits.ts';
import { listen } from '../../config/listen.ts';
import { runUntilStopped, untilAborted } from '../../config/main.ts';

// api/main.ts but for one thing: the limit of a key is more than a bench asks for. It is counted
// all the same, at the same cost.
const generous = { ...rateLimits, secretKey: { points: 100_000_000, windowMs: 60_000 } };

await runUntilStopped(async (stopped) => {
  await using context = await openContext({ ...readEnv(process.env), rateLimits: generous });
  await using _server = await listen(createApiServer(context), context.env.port);
  await untilAborted(stopped);
});
