import { eventRules } from './audit-events.ts';
import { paymentRules } from './audit-payments.ts';
import { refundRules } from './audit-refunds.ts';
import { each, type Finding } from './findings.ts';
import { joined, type Rule } from './joined-records.ts';
import type { ChaosRecords } from './records.ts';

/** What is wrong, or not finished yet. Nothing: every promise is kept. */
export function audit(records: ChaosRecords): Finding[] {
  const all = joined(records);
  return Object.values(rules).flatMap((rule) => rule(all));
}

const rules: Record<string, Rule> = {
  ...paymentRules,
  ...eventRules,
  ...refundRules,
  everyRowIsWorkedOn: ({ stuck }) => each(stuck, 'stuck', (what) => what),
  processesKeepRunning: ({ unexpectedEnds }) => each(unexpectedEnds, 'wrong_state', (what) => what),
  nothingIsRefusedThatShouldBeServed: ({ refusals }) =>
    each(refusals, 'wrong_state', (what) => what),
};
