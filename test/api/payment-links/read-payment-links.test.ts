import { expect } from 'chai';
import { runHousekeeping } from '../../../workers/housekeeping.ts';
import { DAY } from '../../support/clock.ts';
import { newLink } from '../../support/payment-links.ts';
import { type TestTenant, useStack } from '../../support/stack.ts';

describe('Reading payment links', () => {
  const stack = useStack({ workers: false });

  describe('as a list', () => {
    let tenant: TestTenant;
    const list = async (query = '') =>
      (await stack.api.get(`/payment-links${query}`, { key: tenant.secret_key_test })).json;
    const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
    beforeEach(async () => {
      tenant = await stack.newTenant();
    });
    const make = async (body: object = {}) =>
      (await newLink(stack, { ...body }, tenant.secret_key_test)).id;

    it('filters by the shown status, before and after rows are updated', async () => {
      const [short, long, closed, paid] = [
        await make({ expires_in_days: 1 }),
        await make(),
        await make(),
        await make({ expires_in_days: 1 }),
      ];
      await stack.api.post(`/payment-links/${closed}/disable`, {}, { key: tenant.secret_key_test });
      await stack.sql`update payment_links set status = 'paid' where id = ${paid}`;
      expect(idsOf(await list('?status=active'))).to.deep.equal([long, short]);
      expect(idsOf(await list('?status=expired'))).to.deep.equal([]);
      stack.clock.advance(DAY);
      const earlier = await make({ expires_in_days: 1 });
      for (const housekeeping of ['not yet', 'done']) {
        if (housekeeping === 'done') await runHousekeeping(stack.context);
        const shown = new Map<string, string[]>();
        for (const status of ['active', 'expired', 'disabled', 'paid']) {
          const { data } = await list(`?status=${status}`);
          for (const link of data) expect(link.status).to.equal(status);
          shown.set(status, idsOf({ data }));
        }
        const expected = {
          active: [earlier, long],
          expired: [short],
          disabled: [closed],
          paid: [paid],
        };
        expect(Object.fromEntries(shown), housekeeping).to.deep.equal(expected);
      }
    });
  });
});
