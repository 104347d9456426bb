import { eventsAreDelivered, everyOutcomeHasItsEvent, feedsAreComplete } from './audit-events.ts';
import {
  chargesAreThere,
  chargesAreThereOnce,
  nothingIsSentAgain,
  onePaymentIsKept,
  paymentsAreKnown,
  statesFollowFromPayments,
} from './audit-payments.ts';
import { refundsAddUp, refundsAreFinal, refundsAreMadeOnce } from './audit-refunds.ts';
import { returnsAreKnown, wrongAmountsAreReviewed } from './audit-returns.ts';
import { type Finding, found } from './findings.ts';
import type { ChaosRecords } from './records.ts';

/** What is wrong, or not finished yet. Nothing: every promise is kept. */
export function audit(records: ChaosRecords): Finding[] {
  return rules.flatMap((rule) => rule(records));
}

type Rule = (records: ChaosRecords) => Finding[];

const rules: readonly Rule[] = [
  chargesAreThere,
  chargesAreThereOnce,
  paymentsAreKnown,
  onePaymentIsKept,
  statesFollowFromPayments,
  nothingIsSentAgain,
  everyOutcomeHasItsEvent,
  eventsAreDelivered,
  feedsAreComplete,
  refundsAreFinal,
  refundsAreMadeOnce,
  refundsAddUp,
  wrongAmountsAreReviewed,
  returnsAreKnown,
  everyRowIsWorkedOn,
  processesKeepRunning,
];

function everyRowIsWorkedOn({ stuck }: ChaosRecords): Finding[] {
  return stuck.map((what) => found('stuck', what));
}

/** No process ends by itself, and no request is refused that should be served. */
function processesKeepRunning({ unexpectedEnds, refusals }: ChaosRecords): Finding[] {
  return [...unexpectedEnds, ...refusals].map((what) => found('wrong_state', what));
}
