import type { RefundRules } from '../../accounts/tenant/refund-rules.ts';
import { formatNaira } from '../../shared/money.ts';
import { Problem } from '../../shared/problems.ts';
import type { RefundRow } from './row.ts';

export interface RequestedRefund extends Pick<RefundRow, 'amount_kobo' | 'first_approved_by'> {
  /** Null: nobody in the business. Whoever approves it first asks for it. */
  requested_by: string | null;
  /** What else went or goes back of its charge, so that many small refunds are as one. */
  earlier_kobo: number;
}

/** What an Owner's approval of a request comes to. */
export type Approval =
  | 'approved'
  | 'first of two'
  | 'own request'
  | 'approved before'
  | 'by Owners only';

/** A request of an API key is nobody's own. */
export function decideApproval(
  rules: RefundRules,
  request: RequestedRefund,
  owner: string,
): Approval {
  if (isOwnRequest(rules, request, owner)) return 'own request';
  if (!needsTwo(rules, request)) return 'approved';
  if (!rules.owners.includes(owner)) return 'by Owners only';
  const first = firstApproverOf(rules, request);
  if (first === null) return 'first of two';
  return first === owner ? 'approved before' : 'approved';
}

/** Null: the next approval is the first, or the only one. Rules and Owners are as they are now. */
export function firstApproverOf(rules: RefundRules, request: RequestedRefund): string | null {
  const { first_approved_by: first } = request;
  return first !== null && needsTwo(rules, request) && mayApprove(rules, request, first)
    ? first
    : null;
}

/** Why an approval is refused; undefined: it is not. */
export function refusalOf(
  approval: Approval,
  rules: RefundRules,
  request: RequestedRefund,
): Problem | undefined {
  const rest = areEnough(rules, request) ? '' : TOO_FEW;
  if (approval === 'own request')
    return new Problem(
      'forbidden',
      `You asked for this refund: in your business, another Owner approves it.${rest}`,
    );
  if (approval === 'by Owners only')
    return new Problem(
      'forbidden',
      `In your business, two Owners approve that this money goes back.${rest}`,
    );
  if (approval === 'approved before') {
    const approved = request.requested_by === null ? 'that this money goes back' : 'this refund';
    const what = isAbove(rules, request)
      ? `what goes back of a payment above ${formatNaira(rules.twoOwnersAboveKobo!)}`
      : 'it';
    return new Problem(
      'invalid_state',
      `You approved ${approved}. A second Owner approves ${what}, too.${rest}`,
    );
  }
  return undefined;
}

const TOO_FEW =
  ' Too few Owners can do that now: make another member an Owner under Members, or change the rule under Business.';

function areEnough(rules: RefundRules, request: RequestedRefund): boolean {
  const owners = rules.owners.filter((owner) => mayApprove(rules, request, owner));
  return owners.length >= (needsTwo(rules, request) ? 2 : 1);
}

function mayApprove(rules: RefundRules, request: RequestedRefund, owner: string): boolean {
  return rules.owners.includes(owner) && !isOwnRequest(rules, request, owner);
}

function needsTwo(rules: RefundRules, request: RequestedRefund): boolean {
  const isByOneWord = request.requested_by === null && rules.requiresSecondPerson;
  return isByOneWord || isAbove(rules, request);
}

function isAbove(
  { twoOwnersAboveKobo: above }: RefundRules,
  { amount_kobo: kobo, earlier_kobo: earlierKobo }: RequestedRefund,
) {
  return above !== null && earlierKobo + kobo > above;
}

function isOwnRequest(
  { requiresSecondPerson }: RefundRules,
  request: RequestedRefund,
  owner: string,
) {
  return requiresSecondPerson && request.requested_by === owner;
}
