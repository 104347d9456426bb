import { expect } from 'chai';
import { eventTypes } from '../../../domain/webhooks/entities/event.ts';
import { type Checkout, newCharge, openCharge, stored } from '../../support/charges.ts';
import { memberOf } from '../../support/members.ts';
import type { Refund } from '../../support/refunds.ts';
import type { ProviderStats } from '../../support/sandbox-control.ts';
import { expectNoLeaks, type Stack, type StackOptions, startStack } from '../../support/stack.ts';

export const providers = [
  { slot: 'provider_a', name: 'paystack' },
  { slot: 'provider_b', name: 'flutterwave' },
  { slot: 'provider_c', name: 'monnify' },
] as const;

type ProviderName = (typeof providers)[number];
type Payment = Parameters<Stack['control']['pay']>[1];
type Named = Pick<Checkout, 'reference'>;

export interface ProviderFixture {
  readonly stack: Stack;
  readonly slot: ProviderName['slot'];
  readonly name: ProviderName['name'];
  open(body?: Record<string, unknown>): Promise<Checkout>;
  pay(charge: Named, options?: Payment): Promise<void>;
  paid(options?: Payment): Promise<Checkout>;
  /** One charge for each way to pay, paid so together, in the time of one; undefined: not paid. */
  together(ways: readonly (Payment | undefined)[]): Promise<Checkout[]>;
  pass(ms: number): Promise<void>;
  read(charge: Named): Promise<Checkout>;
  /** Webhooks about a charge and its refunds, in order: `charge.succeeded succeeded`. */
  webhooksOf(charge: Named): string[];
  history(charge: Named): Promise<string[]>;
  attempts(charge: Named): Promise<string[]>;
  /** The provider's address on the charge's page; undefined: none yet. */
  visit(charge: Checkout): Promise<string | undefined>;
  refunds(charge: Named): Promise<Refund[]>;
  decide(charge: Named, verb: 'accept' | 'return'): Promise<Record<string, any>>;
  /** Begins to count the calls to the provider; the function returned gives the counts. */
  counting(): Promise<() => Promise<ProviderStats>>;
  /** Sets the provider's faults until the test ends. */
  faults(faults?: Record<string, unknown>): Promise<void>;
}

/**
 * Describes the same tests for each provider. All share a stack; rows that one provider's tests leave
 * open are no longer due when they end.
 */
export function describeForEachProvider(
  title: string,
  body: (fixture: ProviderFixture) => void,
  options: StackOptions = {},
): void {
  describe(title, () => {
    let stack: Stack;
    before(async () => {
      stack = await startStack(options);
      await stack.context.db.query('update webhook_endpoints set event_types = $1', [eventTypes]);
    });
    after(() => stack[Symbol.asyncDispose]());
    afterEach(async () => {
      await stack.control.faults();
      await expectNoLeaks(stack);
    });
    for (const provider of providers) {
      describe(provider.name, () => {
        body(fixtureOf(() => stack, provider));
        after(async () => {
          const { resent_after_accept: resent } = (await stack.control.stats())[provider.name]!;
          expect(resent, 'references sent again after they were accepted').to.equal(0);
          for (const table of ['attempts', 'refunds', 'notifications'])
            await stack.context.db.query(`update ${table} set due_at = null`);
        });
      });
    }
  });
}

function fixtureOf(stackOf: () => Stack, { slot, name }: ProviderName): ProviderFixture {
  const settle = () => stackOf().settle();
  const fixture: ProviderFixture = {
    get stack() {
      return stackOf();
    },
    slot,
    name,
    open: (body) => openCharge(stackOf(), { provider: slot, ...body }),
    async pay({ reference }, options) {
      await stackOf().control.pay(reference, { channel: 'bank_transfer', ...options });
      await settle();
    },
    async paid(options) {
      const charge = await fixture.open();
      await fixture.pay(charge, options);
      const now = await fixture.read(charge);
      expect(now.status).to.equal('completed');
      return now;
    },
    async together(ways) {
      const charges = await Promise.all(ways.map(() => newCharge(stackOf(), { provider: slot })));
      await settle();
      for (const [index, way] of ways.entries()) {
        if (way)
          await stackOf().control.pay(charges[index]!.reference, {
            channel: 'bank_transfer',
            ...way,
          });
      }
      await settle();
      return charges;
    },
    pass: (ms) => stackOf().pass(ms),
    read: async ({ reference }) =>
      (await stackOf().api.get<Checkout>(`/charges/${reference}`)).json,
    webhooksOf: ({ reference }) =>
      stackOf()
        .receiver.received.map(({ body }) => JSON.parse(body))
        .filter(({ data }) => data.reference === reference)
        .map(({ type, data }) => `${type} ${data.status}`),
    history: async ({ reference }) =>
      (await stackOf().api.get(`/charges/${reference}/timeline?limit=100`)).json.data.map(
        ({ what }: { what: string }) => what,
      ),
    attempts: async (charge) =>
      (await stored(stackOf(), charge)).attempts.map(({ status }) => status),
    async visit({ checkout_url: url }) {
      const page = await (await fetch(url)).text();
      return /<a class="button" href="(http[^"]*)">/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    },
    async refunds(charge) {
      const { id } = await stored(stackOf(), charge);
      return stackOf().context.db.query<Refund>(
        'select * from refunds where charge_id = $1 order by id',
        [id],
      );
    },
    async decide({ reference }, verb) {
      const { token } = await memberOf(stackOf(), stackOf().tenant, 'owner');
      const { json } = await stackOf().api.get('/reviews?status=open&limit=100');
      const [review, ...more] = json.data.filter((each: Named) => each.reference === reference);
      expect(more).to.deep.equal([]);
      const decided = await stackOf().api.post(`/reviews/${review.id}/${verb}`, {}, { key: token });
      expect(decided.status, decided.text).to.equal(200);
      await settle();
      return decided.json;
    },
    async counting() {
      const before = (await stackOf().control.stats())[name]!;
      return async () => {
        const now = (await stackOf().control.stats())[name]!;
        const counted = Object.entries(now).map(([what, count]) => [
          what,
          count - before[what as keyof ProviderStats],
        ]);
        return Object.fromEntries(counted) as ProviderStats;
      };
    },
    faults: (faults = {}) => stackOf().control.faults({ provider: name, ...faults }),
  };
  return fixture;
}
