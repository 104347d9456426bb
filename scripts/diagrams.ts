import { readFile, writeFile } from 'node:fs/promises';
import { attemptTransitions } from '../domain/payments/attempt/transitions.ts';
import { captureTransitions } from '../domain/payments/capture/transitions.ts';
import { chargeTransitions } from '../domain/payments/charge/transitions.ts';
import { disputeTransitions } from '../domain/payments/dispute/transitions.ts';
import { disputeResponseTransitions } from '../domain/payments/dispute-response/transitions.ts';
import { captureStatuses } from '../domain/payments/entities/capture.ts';
import { linkTransitions } from '../domain/payments/payment-link/transitions.ts';
import { refundTransitions } from '../domain/payments/refund/transitions.ts';
import { reviewTransitions } from '../domain/payments/review/transitions.ts';
import { discrepancyTransitions } from '../domain/settlements/discrepancy/transitions.ts';
import {
  settlementTransitions,
  stepTransitions,
} from '../domain/settlements/settlement/transitions.ts';

export const lifecyclesPage = new URL('../domain/lifecycles.md', import.meta.url);

type Table = Record<string, Partial<Record<string, string>>>;

const diagrams: Record<string, () => string> = {
  charge: () => stateDiagram(chargeTransitions, 'initiated'),
  attempt: () => stateDiagram(attemptTransitions, 'queued'),
  capture: () => stateDiagram(captureTransitions, ...captureStatuses),
  refund: () => stateDiagram(refundTransitions, 'requested'),
  dispute: () => stateDiagram(disputeTransitions, 'open'),
  'dispute-response': () => stateDiagram(disputeResponseTransitions, 'requested', 'waiting'),
  review: () => stateDiagram(reviewTransitions, 'open'),
  'payment-link': () => stateDiagram(linkTransitions, 'active'),
  settlement: () => stateDiagram(settlementTransitions, 'expected'),
  'settlement-step': () => stateDiagram(stepTransitions, 'forecast'),
  discrepancy: () => stateDiagram(discrepancyTransitions, 'open'),
};

/** A Mermaid state diagram: one arrow for each pair of states, with every cause that takes it. */
export function stateDiagram(table: Table, ...first: readonly string[]): string {
  const arrows = Object.entries(table).flatMap(([from, moves]) => {
    const byTarget = Map.groupBy(Object.entries(moves), ([, to]) => to);
    return [...byTarget].map(
      ([to, causes]) => `  ${from} --> ${to}: ${causes.map(([cause]) => cause).join(', ')}`,
    );
  });
  const begins = first.map((status) => `  [*] --> ${status}`);
  return ['```mermaid', 'stateDiagram-v2', ...begins, ...arrows, '```'].join('\n');
}

/** A text with the block between each diagram's markers printed again. */
export function withDiagrams(text: string): string {
  return text.replace(
    /(<!-- diagram:([\w-]+) -->\n)[\s\S]*?(<!-- \/diagram -->)/g,
    (whole, open, name, close) => {
      const diagram = diagrams[name];
      return diagram ? `${open}${diagram()}\n${close}` : whole;
    },
  );
}

if (import.meta.main) {
  await writeFile(lifecyclesPage, withDiagrams(await readFile(lifecyclesPage, 'utf8')));
  process.stdout.write('The diagrams in domain/lifecycles.md are up to date.\n');
}
