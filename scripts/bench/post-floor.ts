import { Agent, request } from 'undici';
import { webhookHeaders } from '../../domain/webhooks/signature.ts';
import { eventBody } from './order.ts';
import { serve } from './serve.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** The floor of deliveries: `GET /run?posts=&lanes=` sends signed POSTs, and answers the time. */
await serve((scope) => {
  const urls: string[] = JSON.parse(process.env.URLS!);
  const agent = new Agent({ pipelining: 1 });
  scope.defer(() => agent.destroy());
  return async ({ url }, response) => {
    const asked = new URL(url!, 'http://floor').searchParams;
    const posts = Number(asked.get('posts'));
    response.end(JSON.stringify(await run(agent, urls, posts, Number(asked.get('lanes')))));
  };
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
      const { id: eventId, body } = bodies[sent++]!;
      const url = urls[Math.floor(Math.random() * urls.length)]!;
      const timestamp = Math.floor(Date.now() / 1_000);
      const headers = webhookHeaders({ eventId, body, timestamp }, [SECRET]);
      const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body });
      await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}.`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - startedMs) / 1_000, cpuSeconds: (user + system) / 1e6 };
}
