import { isAllowed, type MemberRole, type Permission } from '../../domain/accounts/roles.ts';

/** What is named by an id, or by a reference, and has a page that shows it. */
const pages: Record<string, { permission: Permission; path: (id: string) => string }> = {
  'SV-': { permission: 'read', path: (id) => `/transactions/${id}` },
  txn_: { permission: 'read', path: (id) => `/transactions/${id}` },
  cus_: { permission: 'read', path: (id) => `/customers/${id}` },
  ref_: { permission: 'read', path: (id) => `/refunds/${id}` },
  lnk_: { permission: 'read', path: (id) => `/payment-links/${id}/qr` },
  stl_: { permission: 'read', path: (id) => `/settlements/${id}` },
  dsc_: { permission: 'read', path: (id) => `/discrepancies/${id}` },
  dsp_: { permission: 'read', path: (id) => `/disputes/${id}` },
  rev_: { permission: 'read', path: (id) => `/reviews#${id}` },
  whe_: { permission: 'develop', path: (id) => `/developers/endpoints/${id}` },
  dlv_: { permission: 'develop', path: (id) => `/developers/deliveries/${id}` },
  key_: { permission: 'develop', path: () => '/developers' },
  con_: { permission: 'manage connections', path: (id) => `/providers#title-${id}` },
  mem_: { permission: 'manage members', path: (id) => `/members/${id}` },
};

/** Views that a sentence names: “… under Members”. */
const views: Record<string, Permission> = {
  Business: 'manage members',
  Members: 'manage members',
  Providers: 'manage connections',
  Refunds: 'read',
};

/** A path of the dashboard; undefined where the member may see none. */
export type PageOf = (id: string) => string | undefined;

export function pageOfFor(role: MemberRole): PageOf {
  return (id) => {
    const permission = views[id];
    if (permission) return isAllowed(role, permission) ? `/${id.toLowerCase()}` : undefined;
    const page = pages[id.replace(/(?<=[-_]).*$/, '')];
    return page && isAllowed(role, page.permission) ? page.path(id) : undefined;
  };
}

const NAMED = new RegExp(
  `\\b(SV-\\d{1,15}|[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}|(?<=under )(?:${Object.keys(views).join('|')}))\\b`,
);

/** Cuts a text at the ids and views in it. */
export function linkedParts(text: string, pageOf: PageOf): { text: string; path?: string }[] {
  return text.split(NAMED).map((part, index) => {
    const path = index % 2 === 1 ? pageOf(part) : undefined;
    return path === undefined ? { text: part } : { text: part, path };
  });
}
