import { expect } from 'chai';
import { newCharge } from '../../support/charges.ts';
import { addDiscrepancy } from '../../support/discrepancies.ts';
import { newLink } from '../../support/payment-links.ts';
import { useDashboard } from './fixture.ts';

const PAYER = 'only.in.test@payer.example';

describe('A member with a browser who switches the mode', () => {
  const dashboard = useDashboard({ workers: false });

  it('sees nothing of test in live, and all of it again in test', async () => {
    const { reference } = await newCharge(dashboard.stack, { email: PAYER });
    await newLink(dashboard.stack, { description: 'Tickets of the test' });
    await addDiscrepancy(dashboard.stack);
    const page = await dashboard.pageOf('owner');
    const seen = async () => {
      const texts: string[] = [];
      for (const path of ['/transactions', '/payment-links', '/discrepancies']) {
        await page.goto(dashboard.at(path));
        texts.push(await page.locator('main').innerText());
      }
      return texts.join('\n');
    };
    const marks = [PAYER, reference, 'Tickets of the test', 'The fee differs.'];

    await page.goto(dashboard.at('/transactions'));
    const mode = page.getByRole('switch', { name: 'Test mode' });
    await mode.click();
    await page.locator('[role=switch][aria-checked=false]').waitFor();
    const live = await seen();
    for (const mark of marks) expect(live).not.to.include(mark);
    const response = await page.goto(dashboard.at(`/transactions/${reference}`));
    expect(response!.status()).to.equal(404);

    await page.goto(dashboard.at('/transactions'));
    await mode.click();
    await page.locator('[role=switch][aria-checked=true]').waitFor();
    const test = await seen();
    for (const mark of marks) expect(test).to.include(mark);
  });
});
