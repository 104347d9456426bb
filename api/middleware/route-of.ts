import type { Request } from 'express';

const areas = new Set([
  'v1',
  'notifications',
  'pay',
  'l',
  'logos',
  'set-password',
  'dashboard',
  'docs',
  'ops',
  'healthz',
  'readyz',
  'metrics',
]);

/** The pattern in the code: few, whatever addresses are asked for. */
export function routeOf(
  { originalUrl, route }: Pick<Request, 'originalUrl' | 'route'>,
  basePath = '',
): string {
  const path = originalUrl.startsWith(basePath) ? originalUrl.slice(basePath.length) : '';
  const area = /^\/([a-z0-9-]+)/.exec(path)?.[1] ?? '';
  if (!areas.has(area)) return 'other';
  const pattern = typeof route?.path === 'string' ? route.path : '';
  return pattern === `/${area}` || pattern === '/' ? `/${area}` : `/${area}${pattern}`;
}
