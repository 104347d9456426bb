import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../config/context.ts';
import type { StoredConnection } from '../../domain/accounts/connection/connection.ts';
import type { Notification, Provider } from '../../domain/providers/provider.ts';
import { providers } from '../../domain/providers/registry.ts';

/**
 * Reads a notification to a connection; undefined when its signature does not hold, or there is no
 * such connection. Before it says so, accounts that nobody has look at it as well, one of each
 * provider the connection is not of: a refusal costs the same work whether there is a connection,
 * and whoever's it is.
 */
export function recognise(
  { providerOf }: Context,
  connection: StoredConnection | undefined,
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
): Notification | undefined {
  const notification = connection && providerOf(connection).readNotification(headers, body);
  if (notification) return notification;
  for (const [adapter, account] of nobodys)
    if (adapter !== connection?.adapter) account.readNotification(headers, body);
  return undefined;
}

/** An account of each provider, with keys that nobody has. */
const nobodys: [adapter: string, account: Provider][] = Object.entries(providers).map(
  ([name, { open, credentialFields }]) => {
    const names = Object.keys(credentialFields);
    const keys = Object.fromEntries(names.map((key) => [key, randomBytes(32).toString('hex')]));
    return [
      name,
      open({ credentials: keys, baseUrl: 'http://nobody.invalid', clock: () => new Date(0) }),
    ];
  },
);
