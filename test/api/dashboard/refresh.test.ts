import { expect } from 'chai';
import { HOUR, MINUTE } from '../../support/clock.ts';
import { dashboardMember } from '../../support/dashboard.ts';
import { useStack } from '../../support/stack.ts';

const UNATTENDED = { 'hx-request': 'true', unattended: '1' };

describe('A page of the dashboard that refreshes itself', () => {
  const stack = useStack({ workers: false });

  it('keeps no session from ending, and then goes to the sign-in as a whole', async () => {
    const browser = await dashboardMember(stack, stack.tenant, 'owner');
    stack.clock.advance(HOUR + 30 * MINUTE);
    expect((await browser.get('/refunds', UNATTENDED)).status).to.equal(200);
    stack.clock.advance(HOUR);
    const page = await browser.get('/refunds', UNATTENDED);
    expect(page.headers.get('hx-redirect')).to.equal('/dashboard/sign-in?next=%2Frefunds');
    expect(page.html).to.equal('');
  });

  it('leaves the notice of a form to the page it is for', async () => {
    const browser = await dashboardMember(stack, stack.tenant, 'owner');
    browser.cookies.set('local-notice', 'refund_approved');
    const part = await browser.get('/refunds', UNATTENDED);
    expect(part.html).not.to.include('The refund is approved');
    const page = await browser.get('/refunds');
    expect(page.html).to.include('The refund is approved');
  });
});
