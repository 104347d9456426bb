import {
  type MemberRole,
  memberRoles,
  permissions,
  type Role,
} from '../../domain/accounts/roles.ts';
import type { Route } from '../http/route.ts';
import type { Components, Operation } from './types.ts';

/** All are sent as `Authorization: Bearer <credential>`. */
export const securitySchemes: Components['securitySchemes'] = {
  secretKey: bearer(
    "`svc_sk_live_…` or `svc_sk_test_…`: for the merchant's server only, never a browser or an app. " +
      'Its prefix names its mode.',
  ),
  publicKey: bearer(
    '`svc_pk_live_…` or `svc_pk_test_…`: for the checkout script in a browser. ' +
      'It may only create a checkout.',
  ),
  userToken: bearer(
    '`hat_…`: the access token of a member of the business who signed in with ' +
      '`POST /auth/token`, in one mode.',
  ),
};

function bearer(description: string): Components['securitySchemes'][string] {
  return { type: 'http', scheme: 'bearer', description };
}

const schemeOf: Record<Role, keyof typeof securitySchemes> = {
  secret: 'secretKey',
  public: 'publicKey',
  owner: 'userToken',
  developer: 'userToken',
  finance: 'userToken',
  support: 'userToken',
  viewer: 'userToken',
};

const inWords: Record<MemberRole, string> = {
  owner: 'an Owner',
  developer: 'a developer',
  finance: 'a member of finance',
  support: 'a member of support',
  viewer: 'a viewer',
};

/** None is needed where the list is empty. */
export function securityOf(credential: Route['credential']): Operation['security'] {
  return [...new Set(rolesOf(credential).map((role) => schemeOf[role]))].map((scheme) => ({
    [scheme]: [],
  }));
}

export function credentialSentence(credential: Route['credential']): string {
  if (credential === 'none') return 'No credential is needed.';
  const roles = rolesOf(credential);
  const members = memberRoles.filter((role) => roles.includes(role)).map((role) => inWords[role]);
  const who = [
    ...(roles.includes('secret') ? ['a secret key'] : []),
    ...(roles.includes('public') ? ['a public key'] : []),
    ...(members.length > 0 ? [`the user token of ${oneOf(members)}`] : []),
  ];
  return `May be called with ${oneOf(who)}.`;
}

function rolesOf(credential: Route['credential']): readonly Role[] {
  return credential === 'none' ? [] : permissions[credential];
}

function oneOf(things: readonly string[]): string {
  return things.length < 2
    ? things.join('')
    : `${things.slice(0, -1).join(', ')} or ${things.at(-1)}`;
}
