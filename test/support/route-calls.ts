import type { Route } from '../../api/http/route.ts';
import { permissions } from '../../domain/accounts/roles.ts';
import { newId } from '../../domain/shared/ids.ts';
import { memberOf } from './members.ts';
import type { Stack } from './stack.ts';

export function nameOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

/**
 * A credential that may call a route: a secret key where that will do, an Owner's token where not,
 * none where none is asked for.
 */
export async function credentialFor(stack: Stack): Promise<(route: Route) => string | null> {
  const owner = await memberOf(stack, stack.tenant, 'owner');
  return ({ credential }) => {
    if (credential === 'none') return null;
    return (permissions[credential] as readonly string[]).includes('secret')
      ? stack.tenant.secret_key_test
      : owner.token;
  };
}

/**
 * A route's path with an id that has the right shape and names nothing; `reference` is one that
 * does.
 */
export function pathOf({ path }: Pick<Route, 'path'>, reference: string, now: Date): string {
  const [, collection = ''] = path.split('/');
  const prefix = {
    refunds: 'ref',
    'payment-links': 'lnk',
    transactions: 'txn',
    settlements: 'stl',
    members: 'mem',
    'api-keys': 'key',
    reviews: 'rev',
    discrepancies: 'dsc',
    'webhook-endpoints': 'whe',
    deliveries: 'dlv',
  }[collection];
  return path
    .replace(':reference', reference)
    .replace(':month', now.toISOString().slice(0, 7))
    .replace(/:\w+/, newId((prefix ?? 'con') as 'con', now));
}
