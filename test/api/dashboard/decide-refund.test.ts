import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { newCharge, putCharge } from '../../support/charges.ts';
import { HOUR, MINUTE } from '../../support/clock.ts';
import { csrfOf, type DashboardBrowser, dashboardMember } from '../../support/dashboard.ts';
import { enrolAuthenticator } from '../../support/dashboard-authenticator.ts';
import { unescaped } from '../../support/html.ts';
import { refundRow } from '../../support/refunds.ts';
import { useStack } from '../../support/stack.ts';

describe('A refund is decided in the dashboard', () => {
  const stack = useStack({ workers: false });

  const member = (role: 'owner' | 'developer' | 'viewer') =>
    dashboardMember(stack, stack.tenant, role);

  async function requested(): Promise<{ id: string }> {
    const charge = await newCharge(stack);
    await putCharge(stack, charge, 'succeeded');
    const { reference } = charge;
    const { status, json } = await stack.api.post('/refunds', { reference, reason: 'No fit.' });
    expect(status).to.equal(202);
    return json;
  }

  const approve = (browser: DashboardBrowser, { id }: { id: string }, code?: string) =>
    browser.post(`/refunds/${id}/approve`, {
      csrf: csrfOf(browser),
      ...(code === undefined ? {} : { code }),
    });
  const reject = (browser: DashboardBrowser, { id }: { id: string }) =>
    browser.post(`/refunds/${id}/reject`, { csrf: csrfOf(browser), reason: 'Worn.' });

  it('once, when two people decide at the same time: the other sees that it is decided', async () => {
    const [ada, obi] = [await member('owner'), await member('owner')];
    for (let round = 0; round < 5; round++) {
      const refund = await requested();
      const pages = await Promise.all(
        round % 2
          ? [approve(ada, refund), approve(obi, refund)]
          : [reject(obi, refund), approve(ada, refund)],
      );
      expect(pages.map(({ status }) => status).sort()).to.deep.equal([303, 409]);
      const late = pages.find(({ status }) => status === 409)!;
      const messages = [...late.html.matchAll(/role="alert">([^<]*)</g)].map(([, text]) => text!);
      expect(messages).to.have.lengthOf(1);
      expect(unescaped(messages[0]!)).to.match(/approved|rejected|processing/);
      const decisions = (await auditOf(stack, refund.id)).filter(({ action }) =>
        /approved|rejected/.test(action),
      );
      expect(decisions).to.have.lengthOf(1);
    }
  });

  it('knowing what is left: what was approved is taken off, what only waits is not', async () => {
    const owner = await member('owner');
    const charge = await newCharge(stack, { amount_kobo: 500_000 });
    await putCharge(stack, charge, 'succeeded');
    const request = async (amount_kobo: number) => {
      const body = { reference: charge.reference, amount_kobo, reason: 'No fit.' };
      return (await stack.api.post('/refunds', body)).json;
    };
    const [first, second] = [await request(120_000), await request(300_000)];
    const leftFor = async ({ id }: { id: string }) => {
      const { html } = await owner.get(`/refunds/${id}`);
      return unescaped(/Still refundable<\/dt><dd class="money">([^<]*)</.exec(html)![1]!);
    };
    expect(await leftFor(second)).to.equal('₦5,000.00');
    expect((await approve(owner, first)).status).to.equal(303);
    expect(await leftFor(second)).to.equal('₦3,800.00');
  });

  it('by a member with an authenticator with a code, when the last is older than 15 minutes', async () => {
    const owner = await member('owner');
    const { code } = await enrolAuthenticator(stack, owner);
    expect((await approve(owner, await requested())).status, 'just enrolled').to.equal(303);
    stack.clock.advance(16 * MINUTE);
    const refund = await requested();
    expect((await owner.get('/refunds')).html).to.include('Authentication code');
    for (const wrong of [undefined, '', '000000', 'abc']) {
      const page = await approve(owner, refund, wrong);
      expect(page.status, wrong).to.equal(422);
      expect(await refundRow(stack, refund)).to.include({ status: 'requested' });
    }
    expect((await reject(owner, await requested())).status, 'a rejection').to.equal(303);
    expect((await approve(owner, refund, code())).status).to.equal(303);
    expect((await approve(owner, await requested())).status, 'soon after').to.equal(303);
    stack.clock.advance(HOUR);
    expect((await approve(owner, await requested(), code())).status, 'later').to.equal(303);
  });
});
