import type { IncomingMessage } from 'node:http';

export interface Route {
  method: 'get' | 'post';
  /** `:name` stands for any one part of an address. */
  path: string;
}

/** Unreadable: a part of the path is not well encoded. */
export type FindRoute<Found> = (
  request: IncomingMessage,
  path: string,
) => { route: Found; params: Record<string, string> } | 'unreadable' | undefined;

/**
 * Finds the first route of a request's method and path, whatever its case and whether or not it
 * ends in a slash.
 */
export function createRouter<Found extends Route>(routes: readonly Found[]): FindRoute<Found> {
  const patterns = routes.map((route) => ({
    route,
    method: route.method.toUpperCase(),
    names: [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!),
    pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '([^/]+)')}/?$`, 'i'),
  }));
  return ({ method: asked }, path) => {
    const method = asked === 'HEAD' ? 'GET' : asked;
    for (const { route, names, pattern, ...known } of patterns) {
      const parts = known.method === method ? pattern.exec(path) : null;
      if (!parts) continue;
      const params = paramsOf(names, parts);
      return params ? { route, params } : 'unreadable';
    }
    return undefined;
  };
}

function paramsOf(
  names: readonly string[],
  parts: RegExpExecArray,
): Record<string, string> | undefined {
  try {
    return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(parts[i + 1]!)]));
  } catch {
    return undefined;
  }
}

/** An address below the name of an API, in its parts. */
export function splitAddress(address: string): { path: string; query: string } {
  const at = address.indexOf('?');
  return at < 0
    ? { path: address, query: '' }
    : { path: address.slice(0, at), query: address.slice(at + 1) };
}
