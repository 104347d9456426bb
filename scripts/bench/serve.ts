import { createServer, type RequestListener } from 'node:http';
import { listen } from '../../config/listen.ts';
import { runUntilStopped, untilAborted } from '../../config/main.ts';

/** Serves `PORT` until the process is stopped; what `open` opened in the scope ends then. */
export function serve(
  open: (scope: AsyncDisposableStack) => RequestListener | Promise<RequestListener>,
): Promise<void> {
  return runUntilStopped(async (stopped) => {
    await using scope = new AsyncDisposableStack();
    const server = createServer(await open(scope));
    scope.use(await listen(server, Number(process.env.PORT), '127.0.0.1'));
    await untilAborted(stopped);
  });
}
