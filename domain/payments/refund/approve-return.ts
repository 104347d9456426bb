import type { Actor } from '../../accounts/audit-log/record-change.ts';
import { mailMembers } from '../../accounts/member/mail-members.ts';
import { findRefundRules } from '../../accounts/tenant/refund-rules.ts';
import type { Problem } from '../../shared/problems.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { type Approval, decideApproval, firstApproverOf, refusalOf } from './decide-approval.ts';
import { approvedEarlier } from './refundable.ts';

export interface Return {
  /** Where its id is. */
  of: 'disputes' | 'reviews';
  id: string;
  amountKobo: number;
  firstApprovedBy: string | null;
}

export interface ReturnApproval {
  approval: Approval;
  /** The Owner who approved it before, where two are needed. */
  first: string | null;
  refusal: Problem | undefined;
}

/** Tells the other Owners at once that one let money go back, which waits for a second one. */
export function mailSecondOwners(tx: Tx, { tenantId, mode }: Actor, id: string): Promise<void> {
  const notice = { tenantId, mode, kind: 'refunds_waiting', subjectId: id, hastens: true } as const;
  return mailMembers(tx, 'decide refunds', notice);
}

/**
 * What a member's word comes to that money goes back for which nobody requested a refund: the rules
 * of refunds hold. Operators answer for themselves.
 */
export async function approvalOfReturn(
  sql: Sql,
  { tenantId, memberId }: Pick<Actor, 'tenantId' | 'memberId'>,
  { of, id, amountKobo, firstApprovedBy }: Return,
): Promise<ReturnApproval> {
  if (memberId === null) return { approval: 'approved', first: null, refusal: undefined };
  const rules = await findRefundRules(sql, tenantId);
  const request = {
    amount_kobo: amountKobo,
    requested_by: null,
    first_approved_by: firstApprovedBy,
    earlier_kobo: await approvedEarlier(sql, of, id),
  };
  const approval = decideApproval(rules, request, memberId);
  const first = firstApproverOf(rules, request);
  return { approval, first, refusal: refusalOf(approval, rules, request) };
}
