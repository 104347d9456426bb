import { expect } from 'chai';
import { eventTypes } from '../../../domain/webhooks/entities/event.ts';
import { type Checkout, newCharge, openCharge, stored } from '../../support/charges.ts';
import { memberOf } from '../../support/members.ts';
import type { Refund } from '../../support/refunds.ts';
import type { ProviderStats } from '../../support/sandbox-control.ts';
import { type Stack, type StackOptions, useStack } from '../../support/stack.ts';

export const providers = [
  { slot: 'provider_a', name: 'paystack' },
  { slot: 'provider_b', name: 'flutterwave' },
  { slot: 'provider_c', name: 'monnify' },
] as const;

type Payment = Parameters<Stack['control']['pay']>[1];
type Named = Pick<Checkout, 'reference'>;
type Fields = Record<string, unknown>;

export type ProviderFixture = ReturnType<typeof fixtureOf>;

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
    const stack = useStack(options);
    before(() => stack.sql`update webhook_endpoints set event_types = ${eventTypes}`);
    afterEach(() => stack.control.faults());
    for (const provider of providers) {
      describe(provider.name, () => {
        body(fixtureOf(stack, provider));
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

function fixtureOf(stack: Stack, { slot, name }: (typeof providers)[number]) {
  const open = (body?: Fields) => openCharge(stack, { provider: slot, ...body });
  const payAt = ({ reference }: Named, options?: Payment) =>
    stack.control.pay(reference, { channel: 'bank_transfer', ...options });
  const read = async ({ reference }: Named) =>
    (await stack.api.get<Checkout>(`/charges/${reference}`)).json;
  const pay = async (charge: Named, options?: Payment) => {
    await payAt(charge, options);
    await stack.settle();
  };
  const refunds = async (charge: Named) => {
    const { id } = await stored(stack, charge);
    return stack.sql<Refund>`select * from refunds where charge_id = ${id} order by id`;
  };
  return {
    ...{ stack, slot, name, open, pay, read },
    pass: (ms: number) => stack.pass(ms),
    async paid(options?: Payment) {
      const charge = await open();
      await pay(charge, options);
      const now = await read(charge);
      expect(now.status).to.equal('completed');
      return now;
    },
    /** One charge for each way to pay, paid so together, in the time of one; undefined: not paid. */
    async together<const Ways extends readonly (Payment | undefined)[]>(ways: Ways) {
      const charges = await Promise.all(ways.map(() => newCharge(stack, { provider: slot })));
      await stack.settle();
      for (const [index, way] of ways.entries()) if (way) await payAt(charges[index]!, way);
      await stack.settle();
      return charges as { -readonly [Way in keyof Ways]: Checkout };
    },
    history: async ({ reference }: Named): Promise<string[]> =>
      (await stack.api.get(`/charges/${reference}/timeline?limit=100`)).json.data.map(
        ({ what }: { what: string }) => what,
      ),
    attempts: async (charge: Named): Promise<string[]> =>
      (await stored(stack, charge)).attempts.map(({ status }) => status),
    /** The provider's address on the charge's page; undefined: none yet. */
    async visit({ checkout_url: url }: Checkout) {
      const page = await (await fetch(url)).text();
      return /<a class="button" href="(http[^"]*)">/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    },
    /** Refunds of a charge, oldest first: `merchant completed 100000`. */
    refunds: async (charge: Named) =>
      (await refunds(charge)).map(
        ({ origin, status, amount_kobo: kobo }) => `${origin} ${status} ${kobo}`,
      ),
    async decide({ reference }: Named, verb: 'accept' | 'return', of = stack) {
      const { token } = await memberOf(of, of.tenant, 'owner');
      const { json } = await of.api.get('/reviews?status=open&limit=100');
      const [review, ...more] = json.data.filter((each: Named) => each.reference === reference);
      expect(more).to.deep.equal([]);
      const decided = await stack.api.post(`/reviews/${review.id}/${verb}`, {}, { key: token });
      expect(decided.status, decided.text).to.equal(200);
      await stack.settle();
      return decided.json;
    },
    /** Begins to count the calls to the provider; the function returned gives the counts. */
    async counting() {
      const before = (await stack.control.stats())[name]!;
      return async () => {
        const counted = Object.entries((await stack.control.stats())[name]!).map(
          ([what, count]) => [what, count - before[what as keyof ProviderStats]],
        );
        return Object.fromEntries(counted) as ProviderStats;
      };
    },
    /** Sets the provider's faults until the test ends. */
    faults: (faults: Fields = {}) => stack.control.faults({ provider: name, ...faults }),
    async expectStored(charge: Named, fields: Fields) {
      expect(await stored(stack, charge)).to.deep.include(fields);
    },
    async expectTransaction(charge: Named, fields: Fields) {
      expect((await read(charge)).transaction).to.include(fields);
    },
    /**
     * Webhooks about a charge and its refunds, in the order of their events: those sent at once may
     * arrive in any. Each shows the status it is named after.
     */
    expectWebhooks({ reference }: Named, ...types: string[]) {
      const events = stack.receiver.received
        .map(({ body }) => JSON.parse(body))
        .sort((one, other) => (one.id < other.id ? -1 : 1));
      const sent = events.filter(({ data }) => data.reference === reference);
      expect(sent.map(({ type }) => type)).to.deep.equal(types);
      for (const { type, data } of sent) {
        const shown = /^(won|lost)$/.test(data.status) ? 'closed' : data.status;
        expect(type.split('.')[1]).to.equal(shown);
      }
    },
  };
}
