import type { CallKind } from './budget.ts';
import type { Provider } from './provider.ts';

export type Question = Exclude<
  keyof Provider,
  'capabilities' | 'readNotification' | 'readSettlement'
>;

export const questions: Record<Question, { kind: CallKind; stage: string }> = {
  create: { kind: 'create', stage: 'create' },
  verify: { kind: 'verify', stage: 'verify' },
  refund: { kind: 'refund', stage: 'refund' },
  findRefund: { kind: 'look up', stage: 'find refund' },
  listRefunds: { kind: 'look up', stage: 'list refunds' },
  listAccountRefunds: { kind: 'look up', stage: 'list refunds' },
  listPastPayments: { kind: 'look up', stage: 'list payments' },
  listPastRefunds: { kind: 'look up', stage: 'list refunds' },
  listDisputes: { kind: 'look up', stage: 'list disputes' },
  respondToDispute: { kind: 'respond', stage: 'respond to dispute' },
  listSettlements: { kind: 'look up', stage: 'list settlements' },
  listLines: { kind: 'look up', stage: 'list settlement lines' },
  findSettlement: { kind: 'look up', stage: 'find settlement' },
  listPayments: { kind: 'look up', stage: 'list payments' },
  checkCredentials: { kind: 'look up', stage: 'check' },
};

export const questionNames = Object.keys(questions) as Question[];
