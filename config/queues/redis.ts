import { Cluster, type ClusterNode, Redis, type RedisOptions } from 'ioredis';
import { type RedisAddress, readRedisUrl } from './redis-url.ts';

export type RedisClient = Redis | Cluster;

export type RedisPatience = Pick<
  RedisOptions,
  | 'enableOfflineQueue'
  | 'maxRetriesPerRequest'
  | 'connectTimeout'
  | 'commandTimeout'
  | 'socketTimeout'
  | 'lazyConnect'
>;

const SENTINEL_TIMEOUT_MS = 1_000;
const SENTINELS_AGAIN_MS = 500;

/** Reconnects by itself, to whichever server is the master by then. */
export function openRedis(url: string, patience: RedisPatience): RedisClient {
  const address = readRedisUrl(url);
  if (address.kind === 'server') return new Redis(url, patience);
  return address.kind === 'sentinel'
    ? new Redis(sentinelOptions(address, patience))
    : openCluster(address, patience);
}

/** In a Cluster, keys of one command must share a slot, named in braces: one for each queue. */
export function keyPrefix(url: string, prefix: string, name: string): string {
  return readRedisUrl(url).kind === 'cluster' ? `{${prefix}:${name}}` : prefix;
}

type Group<Kind> = Extract<RedisAddress, { kind: Kind }>;

function sentinelOptions(address: Group<'sentinel'>, patience: RedisPatience) {
  const { nodes, master, db, credentials, sentinelCredentials, isEncrypted } = address;
  return {
    ...patience,
    ...credentials,
    sentinels: nodes,
    name: master,
    db,
    ...sentinelCredentials,
    ...(isEncrypted ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    sentinelRetryStrategy: () => SENTINELS_AGAIN_MS,
    reconnectOnError: isFromReplica,
  } satisfies RedisOptions;
}

/** A master that became a replica refuses to write: the client asks for the new one. */
function isFromReplica({ message }: Error): boolean {
  return message.includes('READONLY');
}

function openCluster(address: Group<'cluster'>, patience: RedisPatience): Cluster {
  const { enableOfflineQueue = true, lazyConnect = false, ...redisOptions } = patience;
  const { nodes, credentials, isEncrypted } = address;
  return new Cluster(nodes as ClusterNode[], {
    enableOfflineQueue,
    lazyConnect,
    redisOptions: { ...redisOptions, ...credentials, ...(isEncrypted ? { tls: {} } : {}) },
    // Certificates name hosts: they are not resolved to addresses.
    ...(isEncrypted ? { dnsLookup: (host, done) => done(null, host) } : {}),
  });
}
