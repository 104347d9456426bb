import { expect } from 'chai';
import { runHousekeeping } from '../../../workers/housekeeping.ts';
import { DAY } from '../../support/clock.ts';
import { newLink, readLink } from '../../support/payment-links.ts';
import { type TestTenant, useStack } from '../../support/stack.ts';

describe('Reading payment links', () => {
  const stack = useStack({ workers: false });

  it('shows a link as expired from its end on, before its row is updated', async () => {
    const { id } = await newLink(stack, { expires_in_days: 1 });
    stack.clock.advance(DAY - 60_000);
    expect((await readLink(stack, { id })).status).to.equal('active');
    stack.clock.advance(60_000);
    expect((await readLink(stack, { id })).status).to.equal('expired');
    const written = async () =>
      (await stack.context.db.query('select status from payment_links where id = $1', [id]))[0];
    expect(await written()).to.deep.equal({ status: 'active' });
    expect((await runHousekeeping(stack.context)).changed.expired_links).to.be.greaterThan(0);
    expect(await written()).to.deep.equal({ status: 'expired' });
    expect((await runHousekeeping(stack.context)).changed.expired_links).to.equal(0);
  });

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

    it('neither skips nor repeats one, page by page, with and without a status', async () => {
      const ids: string[] = [];
      for (let made = 0; made < 5; made++)
        ids.unshift(await make({ expires_in_days: made % 2 === 0 ? 1 : 2 }));
      stack.clock.advance(DAY);
      await stack.sql`update payment_links set status = 'expired' where id = ${ids[2]}`;
      for (const [query, wanted] of [
        ['', ids],
        ['&status=expired', [ids[0], ids[2], ids[4]]],
      ] as const) {
        const walked: string[] = [];
        for (let cursor = ''; cursor !== undefined; ) {
          const page = await list(`?limit=2${query}${cursor && `&cursor=${cursor}`}`);
          walked.push(...idsOf(page));
          cursor = page.next_cursor;
        }
        expect(walked).to.deep.equal(wanted);
      }
    });
  });
});
