/**
 * The hosts on which plain HTTP is accepted: localhost, any host ending in .localhost, and
 * 127.0.0.1.
 */
export function isLocalHost(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1';
}
