import { join } from 'node:path';
import { setFaults } from '../bench/sandbox.ts';
import { DATABASE } from '../bench/stack.ts';
import { redisServers } from './redis.ts';
import { type ChaosStack, mainOf, type ProcessName, type ServiceName, services } from './stack.ts';
import type { Changes, Supervised } from './supervised.ts';

/** Something that goes wrong for a while. */
export interface Fault {
  targets: readonly string[];
  /** How long it lasts, in ms: from, to. Default: it is over as soon as it began. */
  lastsMs?: readonly [number, number];
  prepare?(stack: ChaosStack): Promise<void>;
  begin(stack: ChaosStack, target: string): unknown;
  end?(stack: ChaosStack, target: string): unknown;
}

const processes = [...services, 'redis', 'sandbox'] as const;
const stores = ['postgres', 'redis', 'sandbox'] as const;
const adapters = ['paystack', 'flutterwave', 'monnify'] as const;

type Store = (typeof stores)[number];

/** What has that name; of Redis the master, and all of its servers where `all`. */
async function struckBy(
  { processes, postgres, redis }: ChaosStack,
  target: string,
  all = false,
): Promise<Pick<Supervised, 'signal'>[]> {
  if (target === 'postgres') return [{ signal: postgres.signalAll }];
  if (target !== 'redis') return [processes[target as ProcessName]];
  const names = all ? redisServers : [await redis.master()];
  return names.map((name) => processes[name]);
}

async function signal(stack: ChaosStack, target: string, sent: NodeJS.Signals, all = false) {
  for (const each of await struckBy(stack, target, all)) await each.signal(sent);
}

const untilReady = ({ processes }: ChaosStack, target: string) => {
  const names = target === 'redis' ? redisServers : [target as ProcessName];
  return Promise.all(names.map((name) => processes[name].untilReady()));
};

/** The sign of each clock's offset. */
const CLOCKS: Record<ServiceName, 1 | -1> = {
  ...{ 'api-1': 1, 'api-2': -1 },
  ...{ 'workers-1': -1, 'workers-2': 1 },
};

async function restart(
  { processes }: ChaosStack,
  names: readonly ServiceName[],
  changesOf: (name: ServiceName) => Changes = () => ({}),
) {
  await Promise.all(names.map((name) => processes[name].restart(changesOf(name))));
}

async function restartAll(stack: ChaosStack, changesOf?: (name: ServiceName) => Changes) {
  await restart(stack, ['api-1', 'workers-1'], changesOf);
  await restart(stack, ['api-2', 'workers-2'], changesOf);
}

/** Every process starts anew with a clock that differs by this, and then without. */
function clocksApart(ms: number): Fault {
  const file = new URL('clock-offset.ts', import.meta.url).href;
  return {
    targets: ['services'],
    lastsMs: [8_000, 15_000],
    begin: (stack) =>
      restartAll(stack, (name) => ({
        env: {
          CLOCK_OFFSET_MS: String((CLOCKS[name] * ms) / 2),
          NODE_OPTIONS: `${stack.env.NODE_OPTIONS} --import=${file}`,
        },
      })),
    end: (stack) => restartAll(stack),
  };
}

/** All that comes on new connections is answered so. */
function answering(bytes: () => string | Buffer): Fault {
  return {
    targets: ['sandbox'],
    lastsMs: [2_000, 8_000],
    begin: ({ links }) => links.sandbox.answer(bytes()),
    end: ({ links }) => links.sandbox.mend(),
  };
}

const GARBAGE = '<html><body>Service temporarily unavailable</body></html>';

/** Without a length, so that whoever reads it must count. */
const huge = () =>
  Buffer.concat([
    Buffer.from(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"a":"',
    ),
    Buffer.alloc(200_000_000, 'a'),
  ]);

function misbehaving(
  behaviour: object,
  targets: readonly string[] = [...adapters, 'every provider'],
): Fault {
  const targetOf = (target: string) => (target === 'every provider' ? {} : { provider: target });
  return {
    targets,
    lastsMs: [5_000, 12_000],
    begin: ({ sandboxUrl }, target) => setFaults(sandboxUrl, { ...targetOf(target), ...behaviour }),
    end: ({ sandboxUrl }) => setFaults(sandboxUrl, {}),
  };
}

/** Every kind of fault, by the name in reports. */
export const faults = {
  /** The supervisor starts it again at once. */
  'kill -9': {
    targets: processes,
    begin: (stack, target) => signal(stack, target, 'SIGKILL'),
    end: untilReady,
  },
  'SIGSTOP, SIGCONT': {
    targets: [...processes, 'postgres'],
    lastsMs: [3_000, 12_000],
    begin: (stack, target) => signal(stack, target, 'SIGSTOP'),
    end: (stack, target) => signal(stack, target, 'SIGCONT', true),
  },
  'rolling restart': {
    targets: ['services'],
    async begin(stack) {
      for (const name of services) await stack.processes[name].restart();
    },
  },
  'clocks 2 s apart': clocksApart(2_000),
  'clocks 90 s apart': clocksApart(90_000),
  'name servers away': {
    targets: ['services'],
    lastsMs: [8_000, 15_000],
    begin: ({ nameServers }) => nameServers.takeAway(),
    end: ({ nameServers }) => nameServers.bringBack(),
  },
  /** An API and a worker process of another version serve beside this one, on the same stores. */
  'other version beside': {
    targets: ['services'],
    lastsMs: [8_000, 15_000],
    begin: (stack) =>
      restart(stack, ['api-1', 'workers-1'], (name) => ({
        args: [join(stack.otherVersion!, mainOf(name))],
      })),
    end: (stack) => restart(stack, ['api-1', 'workers-1']),
  },
  'Redis emptied': { targets: ['redis'], begin: ({ redis }) => redis.empty() },
  'Redis full': {
    targets: ['redis'],
    lastsMs: [8_000, 15_000],
    begin: ({ redis }) => redis.fill(),
    end: ({ redis }) => redis.free(),
  },
  /** The master's machine dies without a word; it comes back, empty, when another is elected. */
  'Redis failed over': {
    targets: ['redis'],
    async begin({ redis, processes }) {
      const master = await redis.master();
      processes[master].signal('SIGSTOP');
      await redis.untilElected(master);
      processes[master].signal('SIGKILL');
    },
    end: untilReady,
  },
  'PostgreSQL crashed': {
    targets: ['postgres'],
    lastsMs: [500, 5_000],
    begin: ({ postgres }) => postgres.crash(),
    end: ({ postgres }) => postgres.start(),
  },
  /** Its replica had every commit that was answered. */
  'PostgreSQL failed over': {
    targets: ['postgres'],
    lastsMs: [1_000, 5_000],
    prepare: ({ postgres }) => postgres.replicate(),
    begin: ({ postgres }) => postgres.crash(),
    async end({ postgres, links }) {
      await postgres.promote();
      links.postgres.leadTo(postgres.url(DATABASE));
    },
  },
  'PostgreSQL out of connections': {
    targets: ['postgres'],
    lastsMs: [8_000, 15_000],
    async begin({ links, postgres }) {
      links.postgres.cut();
      await postgres.occupy();
      links.postgres.mend();
    },
    end: ({ postgres }) => postgres.release(),
  },
  'disk full': {
    targets: ['postgres'],
    lastsMs: [8_000, 15_000],
    begin: ({ disk }) => disk.fill(),
    async end({ disk, postgres }) {
      await disk.free();
      await postgres.start();
    },
  },
  'connections cut': {
    targets: stores,
    lastsMs: [2_000, 8_000],
    begin: ({ links }, target) => links[target as Store].cut(),
    end: ({ links }, target) => links[target as Store].mend(),
  },
  /** Open connections carry nothing any more, and nobody says so; new ones work. */
  'connections silenced': {
    targets: stores,
    begin: ({ links }, target) => links[target as Store].silence(),
  },
  'provider slow': misbehaving({ latency_ms: 6_000 }),
  'provider fails': misbehaving({ error_rate: 0.6 }),
  'provider answers garbage': answering(
    () =>
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n' +
      `Content-Length: ${GARBAGE.length}\r\n\r\n${GARBAGE}`,
  ),
  'provider answers 200 MB': answering(huge),
  "provider's certificate expired": {
    targets: ['sandbox'],
    lastsMs: [5_000, 12_000],
    begin: ({ sandboxEntrance }) => sandboxEntrance.expire(),
    end: ({ sandboxEntrance }) => sandboxEntrance.renew(),
  },
  'provider accepts without answering': misbehaving({ timeout_after_accept_rate: 0.5 }),
  'notifications dropped': misbehaving({ drop_notifications: true }),
  'notifications doubled': misbehaving({ duplicate_notifications: true }),
  /** Each notification waits up to four seconds, so that later ones come first. */
  'notifications reordered': misbehaving({ delay_notifications_ms: 4_000 }, ['every provider']),
} satisfies Record<string, Fault>;
