/** Plain HTTP is accepted on these. */
export function isLocalHost(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1';
}
