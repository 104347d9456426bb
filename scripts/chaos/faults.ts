import { join } from 'node:path';
import { DATABASE } from '../bench/stack.ts';
import { redisServers } from './redis.ts';
import { type ChaosStack, type ProcessName, type ServiceName, services } from './stack.ts';
import type { Changes, Supervised } from './supervised.ts';

/** Something that goes wrong for a while. */
export interface Fault {
  /** What it may strike: one of these each time. */
  targets: readonly string[];
  /** How long it lasts, in ms: from, to. */
  lastsMs: readonly [number, number];
  /** What has to be there before it strikes. */
  prepare?(stack: ChaosStack): Promise<void>;
  begin(stack: ChaosStack, target: string): Promise<unknown>;
  end(stack: ChaosStack, target: string): Promise<unknown>;
}

const processes = [...services, 'redis', 'sandbox'] as const;
const stores = ['postgres', 'redis', 'sandbox'] as const;
const adapters = ['paystack', 'flutterwave', 'monnify'] as const;
type Link = (typeof stores)[number];

const linkOf = ({ links }: ChaosStack, target: string) => links[target as Link];

/** The process of that name; of Redis, the master or every server. */
async function struckBy({ processes, redis }: ChaosStack, target: string): Promise<Supervised> {
  return processes[target === 'redis' ? await redis.master() : (target as ProcessName)];
}

function processesOf({ processes }: ChaosStack, target: string): Supervised[] {
  const names = target === 'redis' ? redisServers : [target as ProcessName];
  return names.map((name) => processes[name]);
}

const untilReady = (stack: ChaosStack, target: string) =>
  Promise.all(processesOf(stack, target).map((each) => each.untilReady()));

/** The supervisor starts it again at once. */
const kill9: Fault = {
  targets: processes,
  lastsMs: [0, 0],
  begin: async (stack, target) => (await struckBy(stack, target)).signal('SIGKILL'),
  end: untilReady,
};

const stopped: Fault = {
  targets: [...processes, 'postgres'],
  lastsMs: [3_000, 12_000],
  begin: async (stack, target) =>
    target === 'postgres'
      ? stack.postgres.signalAll('SIGSTOP')
      : (await struckBy(stack, target)).signal('SIGSTOP'),
  end: async (stack, target) => {
    if (target === 'postgres') return stack.postgres.signalAll('SIGCONT');
    for (const each of processesOf(stack, target)) each.signal('SIGCONT');
  },
};

const rollingRestart: Fault = {
  targets: ['services'],
  lastsMs: [0, 0],
  async begin(stack) {
    for (const name of services) await stack.processes[name].restart();
  },
  end: async () => {},
};

const CLOCKS_MS: Record<ServiceName, number> = {
  ...{ 'api-1': 1_000, 'api-2': -1_000 },
  ...{ 'workers-1': -1_000, 'workers-2': 1_000 },
};

const clocksApart: Fault = {
  targets: ['services'],
  lastsMs: [8_000, 15_000],
  begin: (stack) =>
    restartInPairs(stack, (name) => ({
      env: {
        CLOCK_OFFSET_MS: String(CLOCKS_MS[name]),
        NODE_OPTIONS: `--import=${new URL('clock-offset.ts', import.meta.url).href}`,
      },
    })),
  end: (stack) => restartInPairs(stack, () => ({})),
};

/** An API and a worker process at a time. */
async function restartInPairs(
  { processes }: ChaosStack,
  changesOf: (name: ServiceName) => Changes,
): Promise<void> {
  for (const pair of [
    ['api-1', 'workers-1'],
    ['api-2', 'workers-2'],
  ] as const)
    await Promise.all(pair.map((name) => processes[name].restart(changesOf(name))));
}

/** An API and a worker process of another version serve beside this one, on the same stores. */
const otherVersionBeside: Fault = {
  targets: ['services'],
  lastsMs: [8_000, 15_000],
  begin: ({ processes, otherVersion }) =>
    Promise.all([
      processes['api-1'].restart({ args: [join(otherVersion!, 'api/main.ts')] }),
      processes['workers-1'].restart({ args: [join(otherVersion!, 'workers/main.ts')] }),
    ]),
  end: ({ processes }) =>
    Promise.all([processes['api-1'].restart(), processes['workers-1'].restart()]),
};

const redisEmptied: Fault = {
  targets: ['redis'],
  lastsMs: [0, 0],
  begin: ({ redis }) => redis.empty(),
  end: async () => {},
};

/** The master's machine dies without a word; it comes back, empty, when another one is elected. */
const redisFailsOver: Fault = {
  targets: ['redis'],
  lastsMs: [0, 0],
  async begin({ redis, processes }) {
    const master = await redis.master();
    processes[master].signal('SIGSTOP');
    await redis.untilElected(master);
    processes[master].signal('SIGKILL');
  },
  end: untilReady,
};

const postgresCrashed: Fault = {
  targets: ['postgres'],
  lastsMs: [500, 5_000],
  begin: ({ postgres }) => postgres.crash(),
  end: ({ postgres }) => postgres.start(),
};

/** Its replica had every commit that was answered. */
const postgresFailsOver: Fault = {
  targets: ['postgres'],
  lastsMs: [1_000, 5_000],
  prepare: ({ postgres }) => postgres.replicate(),
  begin: ({ postgres }) => postgres.crash(),
  async end({ postgres, links }) {
    await postgres.promote();
    links.postgres.leadTo(postgres.url(DATABASE));
  },
};

const diskFull: Fault = {
  targets: ['postgres'],
  lastsMs: [8_000, 15_000],
  begin: ({ disk }) => disk.fill(),
  async end({ disk, postgres }) {
    await disk.free();
    await postgres.start();
  },
};

const cut: Fault = {
  targets: stores,
  lastsMs: [2_000, 8_000],
  begin: async (stack, target) => linkOf(stack, target).cut(),
  end: async (stack, target) => linkOf(stack, target).mend(),
};

/** Open connections carry nothing any more, and nobody says so; new ones work. */
const silenced: Fault = {
  targets: stores,
  lastsMs: [0, 0],
  begin: async (stack, target) => linkOf(stack, target).silence(),
  end: async () => {},
};

const GARBAGE = '<html><body>Service temporarily unavailable</body></html>';

const garbage: Fault = {
  targets: ['sandbox'],
  lastsMs: [2_000, 8_000],
  begin: async ({ links }) =>
    links.sandbox.answer(
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n' +
        `Content-Length: ${GARBAGE.length}\r\n\r\n${GARBAGE}`,
    ),
  end: async ({ links }) => links.sandbox.mend(),
};

/** A provider, or all of them, that the sandbox lets misbehave. */
function misbehaving(behaviour: object, lastsMs: Fault['lastsMs'] = [5_000, 12_000]): Fault {
  const targetOf = (target: string) => (target === 'every provider' ? {} : { provider: target });
  return {
    targets: [...adapters, 'every provider'],
    lastsMs,
    begin: (stack, target) => setFaults(stack, { ...targetOf(target), ...behaviour }),
    end: (stack) => setFaults(stack, {}),
  };
}

async function setFaults({ sandboxUrl }: ChaosStack, faults: object): Promise<void> {
  const response = await fetch(`${sandboxUrl}/_control/faults`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(faults),
  });
  if (!response.ok) throw new Error(`The sandbox refused faults: ${await response.text()}`);
}

/** Each notification waits up to four seconds, so that later ones come first. */
const reordered: Fault = {
  targets: ['every provider'],
  lastsMs: [6_000, 12_000],
  begin: (stack) => setFaults(stack, { delay_notifications_ms: 4_000 }),
  end: (stack) => setFaults(stack, {}),
};

/** Every kind of fault, by the name in reports. */
export const faults = {
  'kill -9': kill9,
  'SIGSTOP, SIGCONT': stopped,
  'rolling restart': rollingRestart,
  'clocks 2 s apart': clocksApart,
  'other version beside': otherVersionBeside,
  'Redis emptied': redisEmptied,
  'Redis failed over': redisFailsOver,
  'PostgreSQL crashed': postgresCrashed,
  'PostgreSQL failed over': postgresFailsOver,
  'disk full': diskFull,
  'connections cut': cut,
  'connections silenced': silenced,
  'provider slow': misbehaving({ latency_ms: 6_000 }),
  'provider fails': misbehaving({ error_rate: 0.6 }),
  'provider answers garbage': garbage,
  'provider accepts without answering': misbehaving({ timeout_after_accept_rate: 0.5 }),
  'notifications dropped': misbehaving({ drop_notifications: true }),
  'notifications doubled': misbehaving({ duplicate_notifications: true }),
  'notifications reordered': reordered,
} satisfies Record<string, Fault>;
