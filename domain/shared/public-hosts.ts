import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLocalHost } from './hosts.ts';

/** Not the public internet, cloud metadata included. */
const notPublicIpv4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // a public number, but Azure's own platform inside its machines
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/** All public IPv6, and no loopback, private or IPv4-mapped ones. */
const globalIpv6 = blockList('ipv6', [['2000::', 3]]);

/** Tunnels that carry IPv4, documentation, special purposes. */
const specialIpv6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublicIpv4.check(address, 'ipv4');
    case 6:
      return (
        !address.includes('%') &&
        globalIpv6.check(address, 'ipv6') &&
        !specialIpv6.check(address, 'ipv6')
      );
    default:
      return false;
  }
}

/** The URL parser has normalised spellings of IPv4 already. */
export function isPublicHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$|\.$/g, '');
  return isIP(bare) ? isPublicAddress(bare) : !isLocalHost(bare);
}

/** As `dns.lookup` does when it is asked for all. */
export type ResolveAll = (
  hostname: string,
  options: Parameters<LookupFunction>[1] & { all: true },
  callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
) => void;

/** The checked address is the one connected to, whatever the name resolves to the next time. */
export function publicLookup(allowedHosts: readonly string[], resolve: ResolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const usable = allowedHosts.includes(hostname)
        ? addresses
        : addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (!first) return callback(new Error(`${hostname} resolves to no public address`), '', 0);
      if (options.all) return callback(null, usable);
      return callback(null, first.address, first.family);
    });
  };
}

function blockList(family: 'ipv4' | 'ipv6', subnets: [net: string, prefix: number][]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, family);
  return list;
}
