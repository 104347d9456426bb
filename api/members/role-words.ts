import type { MemberRole } from '../../domain/accounts/roles.ts';

/** What each role may do besides reading, which all may. */
export const roleWords: Record<MemberRole, string> = {
  owner: 'everything',
  developer:
    'charges, payment links, requests for refunds, answers to disputes, discrepancies, API keys ' +
    'and webhooks',
  finance: 'reviews, discrepancies, requests for refunds, and answering or accepting disputes',
  support: 'requests for refunds, answers to disputes, mails to payers, and cancelling charges',
  viewer: 'nothing else',
};
