import { formatNaira } from '../../shared/money.ts';
import { follow } from '../../shared/transitions.ts';
import type { ChargeFact } from '../charge/facts.ts';
import type { TimelineEntry } from '../timeline/timeline.ts';
import { type DisputeStatus, disputeTransitions } from './transitions.ts';

export interface DisputeState {
  id: string;
  status: DisputeStatus | undefined;
  captureId: string;
  amountKobo: number;
  isApplied: boolean;
  chargeStatus: string;
  hasOtherOpen: boolean;
  isReversed: boolean;
}

export type DisputeEffect =
  | { type: 'append to timeline'; entry: TimelineEntry }
  | { type: 'advance charge'; fact: ChargeFact }
  | { type: 'publish'; event: 'dispute.closed' }
  | { type: 'check for money sent twice'; captureId: string };

export interface DisputeDecision {
  status: DisputeStatus;
  effects: DisputeEffect[];
}

/** A decided dispute stays decided; a contradiction is put into review. Pure and total. */
export function decideDispute(
  dispute: DisputeState,
  reported: DisputeStatus,
  note?: string,
): DisputeDecision {
  const { status: known } = dispute;
  const statuses = known === undefined ? firstStatuses(reported) : nextStatuses(known, reported);
  const status = statuses.at(-1) ?? known!;
  const contradicts = statuses.length === 0 && reported !== 'open' && reported !== known;
  const effects = statuses.flatMap((to) => enter(dispute, to, note));
  return { status, effects: contradicts ? [contradiction(dispute, reported)] : effects };
}

/** An undecided one was won, unless the money went. */
export function endOf(known: DisputeStatus | undefined, isReversed: boolean): 'won' | 'lost' {
  if (known === 'won' || known === 'lost') return known;
  return isReversed ? 'lost' : 'won';
}

function firstStatuses(reported: DisputeStatus): DisputeStatus[] {
  return reported === 'open' ? ['open'] : ['open', reported];
}

function nextStatuses(known: DisputeStatus, reported: DisputeStatus): DisputeStatus[] {
  const to = reported === 'open' ? undefined : follow(disputeTransitions, known, reported);
  return to ? [to] : [];
}

function enter(dispute: DisputeState, to: DisputeStatus, note?: string): DisputeEffect[] {
  const detail = [sentenceOf(dispute, to), ...(note ? [note] : [])].join(' ');
  const what = to === 'open' ? 'dispute.opened' : `dispute.${to}`;
  const entry = { what, detail, amountKobo: dispute.amountKobo };
  const fact = factOf(dispute, to, detail);
  return [
    { type: 'append to timeline', entry },
    ...(fact ? [{ type: 'advance charge', fact } as const] : []),
    ...(to === 'open' ? [] : [{ type: 'publish', event: 'dispute.closed' } as const]),
    ...(fact?.type === 'dispute lost' || (to === 'lost' && dispute.isReversed)
      ? [{ type: 'check for money sent twice', captureId: dispute.captureId } as const]
      : []),
  ];
}

function sentenceOf({ id, amountKobo, isApplied }: DisputeState, to: DisputeStatus): string {
  const amount = formatNaira(amountKobo);
  const whose = isApplied ? '' : ' of a payment that is not the charge’s own';
  if (to === 'open') return `The payer’s bank asks ${amount}${whose} back (${id}).`;
  const outcome = to === 'won' ? 'the merchant keeps it' : 'it went back to the payer';
  return `The dispute about ${amount}${whose} was ${to}: ${outcome} (${id}).`;
}

/** Undefined: another dispute is open, or the money taken back was this one's. */
function factOf(dispute: DisputeState, to: DisputeStatus, detail: string): ChargeFact | undefined {
  if (dispute.isReversed && dispute.chargeStatus === 'refunded' && to !== 'won') return undefined;
  // Money that was refunded already may go back a second time.
  if (!dispute.isApplied || dispute.chargeStatus === 'refunded') return noted(dispute, detail);
  if (to === 'won' && dispute.hasOtherOpen) return undefined;
  return { type: to === 'open' ? 'dispute opened' : `dispute ${to}` };
}

function contradiction(dispute: DisputeState, reported: DisputeStatus): DisputeEffect {
  const detail =
    `The provider now reports the dispute as ${reported}; it was ${dispute.status} before and stays ` +
    `so (${dispute.id}).`;
  return { type: 'advance charge', fact: noted(dispute, detail) };
}

function noted({ captureId, amountKobo }: DisputeState, detail: string): ChargeFact {
  return { type: 'dispute noted', captureId, amountKobo, detail };
}
