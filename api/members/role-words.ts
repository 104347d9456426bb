import type { MemberRole } from '../../domain/accounts/roles.ts';

/** What each role may do besides reading, which all may. */
export const roleWords: Record<MemberRole, string> = {
  owner: 'everything',
  developer: 'charges, payment links, requests for refunds, discrepancies, API keys and webhooks',
  finance: 'reviews, discrepancies and requests for refunds',
  support: 'requests for refunds, and cancelling charges',
  viewer: 'nothing else',
};
