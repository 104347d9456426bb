import { createServer } from 'node:http';
import { Agent, request } from 'undici';
import { listen } from '../../config/listen.ts';
import { runUntilStopped, untilAborted } from '../../config/main.ts';
import { webhookHeaders } from '../../domain/webhooks/signature.ts';
import { eventBody } from './event-body.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/**
 * The floor of deliveries: a bare loop of signed POSTs without row, queue, claim and record of
 * tries, in its own process. `GET /run?posts=&lanes=` sends `posts` requests, `lanes` at once, each
 * to a random one of `URLS`, and answers how long that took.
 */
await runUntilStopped(async (stopped) => {
  const urls: string[] = JSON.parse(process.env.URLS!);
  const agent = new Agent({ pipelining: 1 });
  const server = createServer(async ({ url }, response) => {
    const asked = new URL(url!, 'http://floor').searchParams;
    response.end(
      JSON.stringify(
        await run(agent, urls, Number(asked.get('posts')), Number(asked.get('lanes'))),
      ),
    );
  });
  await using _server = await listen(server, Number(process.env.PORT), '127.0.0.1');
  await untilAborted(stopped);
  await agent.destroy();
});

async function run(agent: Agent, urls: readonly string[], posts: number, lanes: number) {
  const now = new Date();
  // Made before the clock starts: the service has its bodies from its rows.
  const bodies = Array.from({ length: posts }, (_, number) => eventBody(number, now));
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  let sent = 0;
  const lane = async () => {
    while (sent < posts) {
      const number = sent++;
      await post(agent, urls[Math.floor(Math.random() * urls.length)]!, bodies[number]!);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - startedMs) / 1_000, cpuSeconds: (user + system) / 1e6 };
}

async function post(
  agent: Agent,
  url: string,
  { id, body }: { id: string; body: string },
): Promise<void> {
  const headers = webhookHeaders({ eventId: id, body, timestamp: Math.floor(Date.now() / 1_000) }, [
    SECRET,
  ]);
  const response = await request(url, { dispatcher: agent, method: 'POST', headers, body });
  await response.body.text();
  if (response.statusCode !== 200) throw new Error(`The receiver answered ${response.statusCode}.`);
}
