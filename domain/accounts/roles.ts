export const memberRoles = ['owner', 'developer', 'finance', 'support', 'viewer'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Those of API keys come first. */
export const roles = ['secret', 'public', ...memberRoles] as const;
export type Role = (typeof roles)[number];

/** Who may do what. Whatever can be read can be exported too. */
export const permissions = {
  read: ['secret', 'owner', 'developer', 'finance', 'support', 'viewer'],
  'create charges': ['secret', 'public', 'owner', 'developer'],
  'cancel charges': ['secret', 'owner', 'developer', 'support'],
  'mail payers': ['secret', 'owner', 'developer', 'support'],
  'manage payment links': ['secret', 'owner', 'developer'],
  'request refunds': ['secret', 'owner', 'developer', 'finance', 'support'],
  'decide refunds': ['owner'],
  'decide reviews': ['owner', 'finance'],
  'answer disputes': ['secret', 'owner', 'developer', 'finance', 'support'],
  'accept disputes': ['owner', 'finance'],
  'close discrepancies': ['owner', 'developer', 'finance'],
  develop: ['owner', 'developer'],
  'manage connections': ['owner'],
  'manage members': ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

export const rolesWith = (permission: Permission): readonly Role[] => permissions[permission];

export function isAllowed(role: Role, permission: Permission): boolean {
  return rolesWith(permission).includes(role);
}
