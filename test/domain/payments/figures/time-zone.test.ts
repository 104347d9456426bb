import { expect } from 'chai';
import { foldFigures } from '../../../../domain/payments/figures/store.ts';
import { paidCharge } from '../../../support/charges.ts';
import { HOUR, MINUTE } from '../../../support/clock.ts';
import { memberOf } from '../../../support/members.ts';
import { approvedRefund, settleRefunds } from '../../../support/refunds.ts';
import { useStack } from '../../../support/stack.ts';

describe('The figures of a business that changes its time zone', () => {
  const stack = useStack();

  async function moveTo(timeZone: string): Promise<void> {
    const { token } = await memberOf(stack, stack.tenant, 'owner');
    const body = { time_zone: timeZone };
    expect((await stack.api.send('PATCH', '/business', body, { key: token })).status).to.equal(200);
    stack.clock.advance(2 * MINUTE);
  }

  async function counted(): Promise<unknown[]> {
    while ((await foldFigures(stack.context.db)) > 0);
    return stack.sql`select to_char(day, 'YYYY-MM-DD') as day, sum(succeeded)::int as succeeded,
         sum(collected_kobo)::int as collected, sum(fee_kobo)::int as fee,
         sum(refunded_kobo)::int as refunded
       from daily_figures group by 1
       having sum(succeeded) <> 0 or sum(collected_kobo) <> 0 or sum(refunded_kobo) <> 0
       order by 1`;
  }

  /** The same from the charges themselves, each in the zone of its time. */
  function scanned(zones: Record<string, string>): Promise<unknown[]> {
    return stack.context.db.query(
      `select to_char(occurred_at at time zone ($1::json->>email), 'YYYY-MM-DD') as day,
         count(*)::int as succeeded, sum(amount_kobo)::int as collected, sum(fee_kobo)::int as fee,
         sum(refunded_kobo)::int as refunded
       from charges where status in ('succeeded', 'settled', 'refunded') group by 1 order by 1`,
      [JSON.stringify(zones)],
    );
  }

  it('stay on their days, also when old charges are corrected, and add up', async () => {
    const zones: Record<string, string> = {};
    const charges = [];
    for (const [n, zone] of ['Pacific/Auckland', 'America/Nuuk', 'Africa/Lagos'].entries()) {
      await moveTo(zone);
      for (let hours = 0; hours < 24; hours += 8) {
        const email = `payer-${n}-${hours}@example.com`;
        zones[email] = zone;
        charges.push(await paidCharge(stack, { email }));
        stack.clock.advance(8 * HOUR);
      }
    }
    expect(await counted()).to.deep.equal(await scanned(zones));
    const before = await counted();
    for (const charge of charges) await approvedRefund(stack, charge, 1_000);
    await settleRefunds(stack);
    expect(await counted(), 'after refunds').to.deep.equal(await scanned(zones));
    expect(await counted()).not.to.deep.equal(before);
  });
});
