export const roles = ['secret', 'public', 'owner', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];
export type MemberRole = 'owner' | 'developer' | 'viewer';
export const memberRoles: readonly MemberRole[] = ['owner', 'developer', 'viewer'];

export const permissions = {
  'create charges': ['secret', 'public', 'owner', 'developer'],
  read: ['secret', 'owner', 'developer', 'viewer'],
  collect: ['secret', 'owner', 'developer'],
  develop: ['owner', 'developer'],
  'close discrepancies': ['owner', 'developer'],
  'decide refunds': ['owner'],
  'manage connections': ['owner'],
  'manage members': ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

export function isAllowed(role: Role, permission: Permission): boolean {
  return (permissions[permission] as readonly Role[]).includes(role);
}
