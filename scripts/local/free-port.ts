import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems choose by themselves: no connection takes one before its use. */
const [LOWEST, BEYOND] = [20_000, 32_768];
const MOST_LOOKS = 100;

/** A port of 127.0.0.1 on which nobody listens at this moment. */
export async function freePort(random: (min: number, max: number) => number = randomInt) {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const port = random(LOWEST, BEYOND);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port among ${MOST_LOOKS} from ${LOWEST} to ${BEYOND}.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
