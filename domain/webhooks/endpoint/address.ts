import { isPublicHost } from '../../shared/public-hosts.ts';

const LONGEST_URL = 2_048;

/**
 * In plain words; undefined: it may be called. `allowedHosts` may use plain http and private
 * addresses. Names are checked again when they are resolved.
 */
export function problemOfWebhookUrl(
  text: string,
  allowedHosts: readonly string[],
): string | undefined {
  const url = text.length <= LONGEST_URL ? URL.parse(text) : null;
  if (!url) return `must be a web address of at most ${LONGEST_URL} characters`;
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (allowedHosts.includes(url.hostname) && /^https?:$/.test(url.protocol)) return undefined;
  if (url.protocol !== 'https:') return 'must begin with https://';
  return isPublicHost(url.hostname) ? undefined : 'must be reachable on the public internet';
}
