import { isLocalHost } from '../../shared/hosts.ts';

/**
 * A web origin the way browsers send it (lower case, no usual port, names in ASCII), or undefined
 * when the text is none. https, or plain http on the local hosts; a path, a query, a user name or a
 * wildcard has no place in an origin.
 */
export function originOf(text: string): string | undefined {
  if (!/^https?:\/\/[^\s\p{C}/\\?#@*]+$/iu.test(text)) return undefined;
  const url = URL.parse(text);
  if (!url || !/^([a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(url.hostname)) return undefined;
  return url.protocol === 'https:' || isLocalHost(url.hostname) ? url.origin : undefined;
}
