import { expect } from 'chai';
import { violationsOf } from '../support/axe.ts';
import { complaintsOf, useBrowserStack } from '../support/browser.ts';

describe('The live example of the checkout script', () => {
  const stack = useBrowserStack();

  it('takes a payment in test mode with a public test key, and no other key', async () => {
    await using context = await stack.browser.newContext({ viewport: { width: 360, height: 640 } });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${stack.origin}/docs/checkout`);
    expect(await violationsOf(page)).to.deep.equal([]);
    const pay = page.getByRole('button', { name: 'Pay ₦2,500.00' });
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('Public test key').fill(stack.tenant.public_key_live);
    await pay.click();
    expect(context.pages()).to.have.length(1);
    await page.getByLabel('Public test key').fill(stack.tenant.public_key_test);
    const [opened] = await Promise.all([page.waitForEvent('popup'), pay.click()]);
    await opened.getByRole('button', { name: 'Pay successfully' }).click();
    await page.getByRole('status').getByText('"status": "success"').waitFor();
    expect(complaints).to.deep.equal([]);
  });
});
