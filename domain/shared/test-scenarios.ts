export interface Described {
  /** On the sandbox's pay page. Absent: it begins before there is a page, or has a button there. */
  button?: string;
  happens: string;
  /** In their order. */
  events: readonly string[];
  /** What follows once the merchant asks for a refund and an Owner approves it. */
  refundEvents?: readonly string[];
  status: string;
  isRefunded?: boolean;
  /** What else its amounts say. */
  amounts?: string;
}

/** What the sandbox's customer, bank and provider do by themselves, and what comes of it. */
const described = {
  paid: {
    happens: 'The customer pays.',
    events: ['charge.succeeded'],
    status: 'succeeded',
  },
  paid_late: {
    button: 'Be declined, and pay all the same',
    happens:
      'The customer is declined, so the charge fails; a second later money arrives. ' +
      'The transaction says `recovered`.',
    events: ['charge.failed', 'charge.succeeded'],
    status: 'succeeded',
  },
  paid_short: {
    button: 'Pay half',
    happens: 'The customer pays half. A person accepts or returns it.',
    events: [],
    status: 'pending',
    amounts: 'what came is on hold in its review',
  },
  paid_over: {
    button: 'Pay half too much',
    happens: 'The customer pays half too much. A person accepts or returns the excess.',
    events: ['charge.succeeded'],
    status: 'succeeded',
    amounts: '`amount_kobo` is what you asked, and the excess is in its review',
  },
  paid_twice: {
    happens:
      'The provider’s first answer is lost, so there are two payment pages, and the customer pays ' +
      'at both. The second payment goes back.',
    events: ['charge.succeeded'],
    status: 'succeeded',
    amounts: '`refunded_kobo` is 0: the second payment was never yours',
  },
  declined: {
    happens: 'The customer’s bank declines.',
    events: ['charge.failed'],
    status: 'failed',
  },
  abandoned: {
    button: 'Leave',
    happens: 'The customer leaves. The charge fails when its time is over.',
    events: ['charge.failed'],
    status: 'failed',
  },
  refund_fails: {
    button: 'Pay; a refund will fail',
    happens: 'The customer pays. The next refund that you ask for fails at the provider.',
    events: ['charge.succeeded'],
    refundEvents: ['refund.requested', 'refund.approved', 'refund.failed'],
    status: 'succeeded',
  },
  refund_needs_attention: {
    button: 'Pay; a refund will need attention',
    happens: 'The customer pays. The next refund that you ask for waits for the customer’s bank.',
    events: ['charge.succeeded'],
    refundEvents: ['refund.requested', 'refund.approved'],
    status: 'succeeded',
  },
  dispute_lost: {
    button: 'Pay, dispute it, and get the money back',
    happens: 'The customer pays, disputes the payment at the bank, and is given the money back.',
    events: ['charge.succeeded', 'charge.disputed', 'dispute.closed'],
    status: 'refunded',
    isRefunded: true,
  },
  dispute_won: {
    button: 'Pay, dispute it, and be refused',
    happens: 'The customer pays and disputes the payment at the bank, which decides for you.',
    events: ['charge.succeeded', 'charge.disputed', 'dispute.closed'],
    status: 'succeeded',
  },
  reversed: {
    button: 'Pay; the provider sends it back',
    happens: 'The customer pays; the provider sends the money back without being asked.',
    events: ['charge.succeeded', 'refund.completed'],
    status: 'refunded',
    isRefunded: true,
  },
  provider_down: {
    happens: 'The provider fails on the first call, and takes the second; the customer pays.',
    events: ['charge.succeeded'],
    status: 'succeeded',
  },
  no_notification: {
    button: 'Pay; the merchant is not notified',
    happens: 'The customer pays, and the provider’s notification is lost. The service asks.',
    events: ['charge.succeeded'],
    status: 'succeeded',
  },
} as const satisfies Record<string, Described>;

export type TestScenario = keyof typeof described;

export const scenarios: Record<TestScenario, Described> = described;

/** The values of the header `Test-Scenario`. */
export const testScenarios = Object.keys(scenarios) as TestScenario[];

export function isTestScenario(value: unknown): value is TestScenario {
  return typeof value === 'string' && Object.hasOwn(scenarios, value);
}
