import { expect } from 'chai';
import {
  type Described,
  scenarios,
  type TestScenario,
  testScenarios,
} from '../../../domain/shared/test-scenarios.ts';
import { eventTypes } from '../../../domain/webhooks/entities/event.ts';
import { type Checkout, stored } from '../../support/charges.ts';
import { DAY, MINUTE, SECOND } from '../../support/clock.ts';
import { approvedRefund } from '../../support/refunds.ts';
import { describeForEachProvider } from './fixture.ts';

type Outcomes = Partial<Record<TestScenario, Partial<Described>>>;

const paidOnly = { events: ['charge.succeeded'], status: 'succeeded', isRefunded: false };

/** Where a provider differs from what is described. */
const differences: Record<string, Outcomes> = {
  paystack: {},
  flutterwave: { paid_late: paidOnly },
  monnify: { dispute_lost: paidOnly, dispute_won: paidOnly },
};

const captures: Partial<Record<TestScenario, string[]>> = {
  paid_short: ['on_hold 250000'],
  paid_over: ['applied 750000'],
  paid_twice: ['applied 500000', 'duplicate 500000'],
  ...{ declined: [], abandoned: [] },
};

describeForEachProvider(
  'The test scenario',
  (fixture) => {
    const { stack, name, slot, pass } = fixture;
    const outcomes = testScenarios.map((scenario) => ({
      scenario,
      ...scenarios[scenario],
      ...differences[name]![scenario],
    }));
    let charges: Record<TestScenario, Checkout>;

    before(async () => {
      // Steps are half a second apart, and each look at a running clock is a millisecond.
      stack.clock.stopAt(stack.clock());
      const body = { amount_kobo: 500_000, email: 'ada@example.com', provider: slot };
      const made = testScenarios.map(async (scenario) => {
        const headers = { 'Test-Scenario': scenario };
        const { status, json } = await stack.api.post<Checkout>('/charges', body, { headers });
        expect(status).to.equal(201);
        return [scenario, json] as const;
      });
      charges = Object.fromEntries(await Promise.all(made)) as typeof charges;
      await stack.settle();
      for (let step = 0; step < 4; step++) await pass(SECOND / 2);
      await pass(MINUTE + 30 * SECOND);
      await pass(DAY + MINUTE);
    });

    function eventsOf({ reference }: Checkout): string[] {
      return stack.receiver.received
        .map(({ body }) => JSON.parse(body))
        .filter(({ data }) => data.reference === reference)
        .map(({ type }) => type);
    }

    for (const { scenario, events, status, isRefunded } of outcomes)
      it(`${scenario} ends as the documentation says`, async () => {
        const charge = charges[scenario];
        expect(eventsOf(charge)).to.deep.equal(events);
        const row = await stored(stack, charge);
        expect(row).to.include({ status, refunded_kobo: isRefunded ? 500_000 : 0 });
        const found = row.captures.map((each) => `${each.status} ${each.amount_kobo}`);
        expect(found).to.have.members(captures[scenario] ?? ['applied 500000']);
        expect(row.recovered).to.equal(scenario === 'paid_late' && name !== 'flutterwave');
        if (scenario === 'paid_twice')
          expect(await fixture.refunds(charge)).to.deep.equal(['system completed 500000']);
      });

    for (const [scenario, status] of [
      ['refund_fails', 'failed'],
      ['refund_needs_attention', name === 'paystack' ? 'needs_attention' : 'processing'],
    ] as const)
      it(`${scenario}: the refund does not go through when it is asked for`, async () => {
        const charge = charges[scenario];
        const { events, refundEvents = [] } = scenarios[scenario];
        await approvedRefund(stack, charge);
        for (let step = 0; step < 3; step++) await pass(SECOND);
        expect(await fixture.refunds(charge)).to.deep.equal([`merchant ${status} 500000`]);
        expect(eventsOf(charge)).to.deep.equal([...events, ...refundEvents]);
      });
  },
  { lists: true },
);

type Way = { scenario: TestScenario; isRefundRequested?: boolean };

const OF_A_REQUEST = ['refund.requested', 'refund.approved', 'refund.rejected'];

describe('The description of test scenarios', () => {
  it('names events that exist', () => {
    const named = Object.values(scenarios).flatMap(({ events, refundEvents = [] }) => [
      ...events,
      ...refundEvents,
    ]);
    expect(eventTypes).to.include.members(named);
  });

  it('fits what the command trigger waits for', async () => {
    const trigger = '../../../api/clients/node/command/trigger.js';
    const { ways } = await import(trigger);
    for (const [type, { scenario, isRefundRequested }] of Object.entries<Way>(ways)) {
      const { events, refundEvents = [] } = scenarios[scenario];
      const asked = isRefundRequested ? OF_A_REQUEST : [];
      expect([...events, ...refundEvents, ...asked], type).to.include(type);
    }
  });
});
