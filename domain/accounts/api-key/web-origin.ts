import { isLocalHost } from '../../shared/hosts.ts';

/**
 * A web origin the way browsers send it (lower case, no usual port, names in ASCII), or undefined
 * when the text is none. It is https, or plain http on the local hosts, without path, query, user
 * name or wildcard.
 */
export function originOf(text: string): string | undefined {
  if (!/^https?:\/\/[^\s\p{C}/\\?#@*]+$/iu.test(text)) return undefined;
  const url = URL.parse(text);
  if (!url || !/^([a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(url.hostname)) return undefined;
  return url.protocol === 'https:' || isLocalHost(url.hostname) ? url.origin : undefined;
}
