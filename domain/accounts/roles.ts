/** Whoever may call: the two kinds of API key, and the three roles a member can have. */
export const roles = ['secret', 'public', 'owner', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];
export type MemberRole = 'owner' | 'developer' | 'viewer';
export const memberRoles: readonly MemberRole[] = ['owner', 'developer', 'viewer'];

/** Who may do what. No other place says so. */
export const permissions = {
  'create charges': ['secret', 'public', 'owner', 'developer'],
  read: ['secret', 'owner', 'developer', 'viewer'],
  /** Payment links, requests for refunds, cancelling. */
  collect: ['secret', 'owner', 'developer'],
  /** API keys and webhooks. */
  develop: ['owner', 'developer'],
  'close discrepancies': ['owner', 'developer'],
  'decide refunds': ['owner'],
  'manage connections': ['owner'],
  'manage members': ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

/** True when the role may do this. */
export function isAllowed(role: Role, permission: Permission): boolean {
  return (permissions[permission] as readonly Role[]).includes(role);
}
