import { isLocalHost } from '../../shared/hosts.ts';

/**
 * A web origin as browsers send it (https, or http on local hosts); undefined: the text is none.
 */
export function originOf(text: string): string | undefined {
  if (!/^https?:\/\/[^\s\p{C}/\\?#@*]+$/iu.test(text)) return undefined;
  const url = URL.parse(text);
  if (!url || !/^([a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(url.hostname)) return undefined;
  return url.protocol === 'https:' || isLocalHost(url.hostname) ? url.origin : undefined;
}
