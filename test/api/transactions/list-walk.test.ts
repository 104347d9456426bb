import { expect } from 'chai';
import fc from 'fast-check';
import { type ChargeStatus, isUnpaid } from '../../../domain/payments/charge/transitions.ts';
import { slots } from '../../../domain/shared/slot.ts';
import { addCharges } from '../../support/charge-rows.ts';
import { DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { useStack } from '../../support/stack.ts';

interface Charge {
  id: string;
  status: ChargeStatus;
  slot: string;
  channel: string | null;
  email: string;
  createdAt: Date;
  occurredAt: Date;
}

interface Filter {
  status?: string;
  provider?: string;
  channel?: string;
  customer?: string;
  from?: string;
  to?: string;
}

const START = Date.parse('2026-02-27T20:00:00Z');
const statusesUsed = ['pending', 'succeeded', 'settled', 'failed'] as const;
const channelsUsed = ['card', 'ussd'];
const emails = ['ada@example.com', 'bola@example.com'];

const newCharge: fc.Arbitrary<Omit<Charge, 'id'>> = fc
  .record({
    status: fc.constantFrom(...statusesUsed),
    slot: fc.constantFrom(...slots),
    channel: fc.constantFrom(...channelsUsed),
    email: fc.constantFrom(...emails),
    minute: fc.nat(3 * 24 * 60),
    paidAfterMs: fc.constantFrom(0, 1, 5 * MINUTE, 6 * HOUR, 30 * HOUR),
  })
  .map(({ status, slot, channel, email, minute, paidAfterMs }) => {
    const isPaid = !isUnpaid(status) && status !== 'failed';
    const createdAt = new Date(START + minute * MINUTE);
    const occurredAt = isPaid ? new Date(createdAt.getTime() + paidAfterMs) : createdAt;
    return { status, slot, channel: isPaid ? channel : null, email, createdAt, occurredAt };
  });

const day = fc.constantFrom('2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03');

/** At most two filters, so that something usually matches. */
const filter: fc.Arbitrary<Filter> = fc
  .record({
    values: fc.record({
      status: fc.constantFrom(...statusesUsed),
      provider: fc.constantFrom(...slots),
      channel: fc.constantFrom(...channelsUsed),
      customer: fc.constantFrom(...emails),
      from: day,
      to: day,
    }),
    used: fc.subarray(['status', 'provider', 'channel', 'customer', 'from', 'to'] as const, {
      maxLength: 2,
    }),
  })
  .map(({ values, used }) => Object.fromEntries(used.map((name) => [name, values[name]])));

const meanwhile = fc.record({
  limit: fc.integer({ min: 1, max: 9 }),
  added: fc.array(newCharge, { maxLength: 3 }),
  advanced: fc.array(
    fc.record({ which: fc.nat(), laterMs: fc.constantFrom(1, 10 * MINUTE, DAY) }),
    { maxLength: 4 },
  ),
});

describe('Paging through the transactions', () => {
  const stack = useStack({ workers: false });

  async function add(charges: readonly Omit<Charge, 'id'>[]): Promise<Charge[]> {
    const ids = await addCharges(stack, charges);
    return charges.map((charge, index) => ({ ...charge, id: ids[index]! }));
  }

  async function advance(charge: Charge, laterMs: number): Promise<Charge> {
    const paidAt = new Date(charge.createdAt.getTime() + laterMs);
    const next: Charge = isUnpaid(charge.status)
      ? { ...charge, status: 'succeeded', channel: 'card', occurredAt: paidAt }
      : { ...charge, status: charge.status === 'succeeded' ? 'settled' : charge.status };
    const { id, status, channel, occurredAt } = next;
    await stack.sql`update charges set status = ${status}, channel = ${channel},
      occurred_at = ${occurredAt} where id = ${id}`;
    return next;
  }

  async function page(filter: Filter, limit: number, cursor: string | undefined) {
    const query = new URLSearchParams({
      ...filter,
      limit: String(limit),
      ...(cursor !== undefined && { cursor }),
    });
    const { status, json, text } = await stack.api.get(`/transactions?${query}`);
    expect(status, text).to.equal(200);
    return { ids: json.data.map(({ id }: { id: string }) => id), cursor: json.next_cursor };
  }

  it('shows every charge once, whatever is added and paid between the pages', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(newCharge, { minLength: 15, maxLength: 50 }),
        filter,
        fc.array(meanwhile, { minLength: 1 }),
        async (first, wanted, turns) => {
          fc.pre(wanted.from === undefined || wanted.to === undefined || wanted.from <= wanted.to);
          await stack.sql`delete from charges`;
          const charges = await add(first);
          const atFirst = charges.filter((charge) => matches(charge, wanted));
          const everMatched = new Set(atFirst.map(({ id }) => id));
          const changed = new Set<string>();
          const seen: string[] = [];
          for (
            let turn = 0, cursor: string | undefined;
            turn === 0 || cursor !== undefined;
            turn++
          ) {
            const { limit, added, advanced } = turns[turn % turns.length]!;
            const shown = await page(wanted, limit, cursor);
            seen.push(...shown.ids);
            cursor = shown.cursor;
            charges.push(...(await add(turn < turns.length ? added : [])));
            for (const { which, laterMs } of charges.length > 0 ? advanced : []) {
              const at = which % charges.length;
              const next = await advance(charges[at]!, laterMs);
              if (!isSame(next, charges[at]!)) changed.add(next.id);
              charges[at] = next;
            }
            for (const charge of charges) if (matches(charge, wanted)) everMatched.add(charge.id);
          }
          expect(seen, 'newest first, none twice').to.deep.equal(
            [...new Set(seen)].sort().reverse(),
          );
          expect(
            seen.filter((id) => !everMatched.has(id)),
            'nothing that never matched',
          ).to.deep.equal([]);
          const isSteady = !['status', 'channel', 'from', 'to'].some((name) => name in wanted);
          const due = atFirst.filter(({ id }) => isSteady || !changed.has(id)).map(({ id }) => id);
          expect(
            due.filter((id) => !seen.includes(id)),
            'none left out',
          ).to.deep.equal([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** The meaning of a filter, computed independently. */
function matches(
  charge: Charge,
  { status, provider, channel, customer, from = '0000', to = '9999' }: Filter,
): boolean {
  const dayInLagos = new Date(charge.occurredAt.getTime() + HOUR).toISOString().slice(0, 10);
  const isOnADayOf = from <= dayInLagos && dayInLagos <= to;
  const equals = (wanted: string | undefined, value: string | null) =>
    wanted === undefined || wanted === value;
  return (
    isOnADayOf &&
    equals(status, charge.status) &&
    equals(provider, charge.slot) &&
    equals(channel, charge.channel) &&
    equals(customer, charge.email)
  );
}

function isSame(one: Charge, other: Charge): boolean {
  return (
    one.status === other.status &&
    one.channel === other.channel &&
    one.occurredAt.getTime() === other.occurredAt.getTime()
  );
}
