import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../config/context.ts';
import type { StoredConnection } from '../../domain/accounts/connection/connection.ts';
import type { Notification, Provider } from '../../domain/providers/port/provider.ts';
import { providers } from '../../domain/providers/registry.ts';

/**
 * Undefined for a wrong signature or no such connection. Before a refusal an unused account of
 * every other provider checks it too, so that every refusal costs the same work.
 */
export function recognise(
  { providerOf }: Context,
  connection: StoredConnection | undefined,
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
): Notification | undefined {
  const notification =
    connection && providerOf(connection, 'notification').readNotification(headers, body);
  if (notification) return notification;
  for (const [adapter, account] of nobodys)
    if (adapter !== connection?.adapter) account.readNotification(headers, body);
  return undefined;
}

/** Their keys are nobody's. */
const nobodys: [adapter: string, account: Provider][] = Object.entries(providers).map(
  ([name, { open, credentialFields }]) => {
    const names = Object.keys(credentialFields);
    const keys = Object.fromEntries(names.map((key) => [key, randomBytes(32).toString('hex')]));
    return [
      name,
      open({
        credentials: keys,
        baseUrl: 'http://nobody.invalid',
        mode: 'live',
        clock: () => new Date(0),
      }),
    ];
  },
);
