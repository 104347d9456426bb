import { isTestScenario, type TestScenario } from '../../domain/shared/test-scenarios.ts';
import type { SandboxContext } from './context.ts';
import { disputePayment } from './disputes.ts';
import { notifyOf } from './notifications.ts';
import { findLastTry, type PayerAction, payOrDecline } from './payments.ts';
import type { Payment } from './records.ts';
import { reversePayment } from './refunds.ts';
import { sendBack } from './return.ts';
import { toFields } from './wire.ts';

/** What the customer does next, their bank or the provider. */
type Step = (context: SandboxContext, page: Payment) => void;

const steps: Record<TestScenario, readonly Step[]> = {
  paid: [pay],
  paid_late: [decline, payLate],
  paid_short: [payPart(0.5)],
  paid_over: [payPart(1.5)],
  paid_twice: [pay],
  declined: [decline],
  abandoned: [],
  refund_fails: [payAndFailRefund('failed')],
  refund_needs_attention: [payAndFailRefund('needs-attention')],
  dispute_lost: [pay, dispute(), dispute('lost')],
  dispute_won: [pay, dispute(), dispute('won')],
  reversed: [pay, reverse],
  provider_down: [pay],
  no_notification: [tryToPay],
};

const FIRST_STEP_MS = 250;

/** Leaves the merchant time to learn of each step; all are over within two seconds. */
const STEP_MS = 800;

/** What a merchant wants to happen to the payment that this body creates. */
export function scenarioAsked({ metadata, meta, metaData }: Record<string, unknown>) {
  const { test_scenario: name } = toFields(metadata ?? meta ?? metaData);
  return isTestScenario(name) ? name : undefined;
}

/** Begins once the page is known to the merchant, or `now`. It goes on after a restart. */
export function beginScenario(
  context: SandboxContext,
  page: Payment,
  name: TestScenario,
  now = false,
): void {
  if (steps[name].length === 0) return;
  const dueAt = new Date(context.now().getTime() + (now ? 0 : FIRST_STEP_MS));
  context.store.scenario.add({ paymentId: page.id, name, done: 0, dueAt });
  if (now) advanceScenarios(context);
}

/** Takes the next step of each scenario whose time has come. */
export function advanceScenarios(context: SandboxContext): void {
  const { store, now } = context;
  for (const scenario of store.scenario.find('due').reverse()) {
    if (scenario.dueAt! > now()) continue;
    const { name, paymentId, dueAt: wasDueAt } = scenario;
    const step = steps[name][scenario.done]!;
    const done = scenario.done + 1;
    const dueAt = done < steps[name].length ? new Date(wasDueAt!.getTime() + STEP_MS) : null;
    store.scenario.change(scenario, { done, dueAt });
    const page = store.payment.get(paymentId);
    if (page) step(context, page);
  }
}

/** By transfer: every provider can send it back. */
function tryToPay(context: SandboxContext, page: Payment, action: Partial<PayerAction> = {}) {
  return payOrDecline(context, page, { outcome: 'success', channel: 'bank_transfer', ...action });
}

function pay(context: SandboxContext, page: Payment, action?: Partial<PayerAction>) {
  const payment = tryToPay(context, page, action);
  if (payment) notifyOf(context, { payment });
  return payment;
}

function payPart(share: number): Step {
  return (context, page) =>
    pay(context, page, { amountKobo: Math.ceil(page.requestedKobo * share) });
}

/** A transfer begun in time arrives though the page takes no more money. */
function payLate(context: SandboxContext, page: Payment): void {
  context.store.payment.change(page, { linkExpiresAt: null });
  pay(context, page);
}

/** Nothing but the customer's return tells the merchant of it everywhere. */
function decline(context: SandboxContext, page: Payment): void {
  pay(context, page, { outcome: 'failed', channel: 'card' });
  sendBack(context, page);
}

function payAndFailRefund(nextRefund: 'failed' | 'needs-attention'): Step {
  return (context, page) => {
    const payment = pay(context, page);
    if (payment) context.store.payment.change(payment, { nextRefund });
  };
}

function dispute(outcome?: 'won' | 'lost'): Step {
  return (context, page) => {
    const payment = findLastTry(context.store, page);
    if (payment) disputePayment(context, payment, { outcome });
  };
}

function reverse(context: SandboxContext, page: Payment): void {
  const payment = findLastTry(context.store, page);
  if (payment && typeof reversePayment(context, payment) === 'number')
    notifyOf(context, { payment });
}
