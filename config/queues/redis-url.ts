import { SetupError } from '../setup-error.ts';

export type RedisNode = { host: string; port: number };

export type RedisAddress =
  | { kind: 'server' }
  | (RedisGroup & {
      kind: 'sentinel';
      master: string;
      db: number;
      sentinelCredentials: { sentinelUsername?: string; sentinelPassword?: string };
    })
  | (RedisGroup & { kind: 'cluster' });

interface RedisGroup {
  nodes: RedisNode[];
  credentials: { username?: string; password?: string };
  isEncrypted: boolean;
}

const FORM =
  /^redis(?<tls>s?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^@]*)@)?(?<hosts>[^@/?]*)(?:\/(?<path>[^?]*))?(?:\?(?<query>.*))?$/;
const PORTS = { sentinel: 26_379, cluster: 6_379 };

/**
 * Reads `redis://…`, `redis+sentinel://user:password@host:26379,host:26379/master/0` and
 * `redis+cluster://user:password@host:6379,host:6379` (`rediss`: encrypted). Throws a `SetupError`.
 */
export function readRedisUrl(url: string): RedisAddress {
  const parts = FORM.exec(url)?.groups;
  if (!parts) throw refusal('it is no address of Redis');
  const kind = parts.kind as 'sentinel' | 'cluster' | undefined;
  if (!kind) {
    if (!URL.canParse(url)) throw refusal('it is no address of Redis');
    return { kind: 'server' };
  }
  const group: RedisGroup = {
    nodes: parts.hosts!.split(',').map((text) => nodeIn(text, PORTS[kind])),
    credentials: credentialsIn(parts.user),
    isEncrypted: parts.tls === 's',
  };
  return kind === 'sentinel'
    ? { kind, ...group, ...masterIn(parts.path), ...sentinelCredentialsIn(parts.query) }
    : cluster(group, parts.path, parts.query);
}

function cluster(group: RedisGroup, path = '', query = ''): RedisAddress {
  if (path !== '' && path !== '0') throw refusal('a Cluster has no database but 0');
  if (query !== '') throw refusal('the address of a Cluster has no parameters');
  return { kind: 'cluster', ...group };
}

function nodeIn(text: string, defaultPort: number): RedisNode {
  const [, ipv6, name, digits] =
    /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d+))?$/.exec(text) ?? [];
  const host = ipv6 ?? name;
  const port = Number(digits ?? defaultPort);
  if (!host || port < 1 || port > 65_535) throw refusal('a host in it is no host or host:port');
  return { host, port };
}

function credentialsIn(user = ''): RedisGroup['credentials'] {
  if (user === '') return {};
  const [, username = '', password = ''] = /^([^:]*):?(.*)$/.exec(user) ?? [];
  return {
    ...(username ? { username: decoded(username) } : {}),
    ...(password ? { password: decoded(password) } : {}),
  };
}

function masterIn(path = ''): { master: string; db: number } {
  const [master = '', db = '0', ...more] = path.split('/');
  if (master === '')
    throw refusal('it names no master, as in redis+sentinel://host:26379,host:26379/mymaster');
  if (!/^\d{1,3}$/.test(db) || more.length > 0) throw refusal('the database is no number');
  return { master: decoded(master), db: Number(db) };
}

function sentinelCredentialsIn(query = '') {
  const names = { sentinel_username: 'sentinelUsername', sentinel_password: 'sentinelPassword' };
  // A plus sign is itself: only forms write a space so.
  const entries = [...new URLSearchParams(query.replaceAll('+', '%2B'))].map(([name, value]) => {
    if (!Object.hasOwn(names, name)) throw refusal('it has a parameter that is not known');
    return [names[name as keyof typeof names], value];
  });
  return { sentinelCredentials: Object.fromEntries(entries) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refusal(`"%" in it must be written as %25`);
  }
}

/** The address may hold a password: the sentence does not repeat it. */
function refusal(problem: string): SetupError {
  return new SetupError(`REDIS_URL is not right: ${problem}.`);
}
