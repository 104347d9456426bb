import { expect } from 'chai';
import { complaintsOf, fits, PHONE, useBrowserStack } from '../support/browser.ts';
import { memberOf } from '../support/members.ts';
import { signIn } from '../support/tokens.ts';

describe('A new member with a browser', () => {
  const stack = useBrowserStack({ workers: false });

  const invite = async (email: string): Promise<string> => {
    const { token } = await memberOf(stack, stack.tenant, 'owner');
    const body = { email, name: 'Adaeze Obi', role: 'developer' };
    return (await stack.api.post('/members', body, { key: token })).json.set_password_url;
  };

  for (const javaScriptEnabled of [true, false]) {
    it(`sets a password by keyboard alone, ${javaScriptEnabled ? 'after a first one that is refused' : 'without scripts'}`, async () => {
      const email = `adaeze.${javaScriptEnabled}@shop.example`;
      const url = await invite(email);
      await using context = await stack.browser.newContext({ viewport: PHONE, javaScriptEnabled });
      const page = await context.newPage();
      const complaints = complaintsOf(page);
      await page.goto(url);
      const field = page.getByLabel('New password');
      expect(await page.getByLabel('E-mail address').inputValue()).to.equal(email);
      expect(await fits(page)).to.equal(true);
      if (javaScriptEnabled) {
        await page.keyboard.type('too short'); // the field has the focus
        await page.keyboard.press('Enter');
        await page.getByText('Your password must have at least 12 characters.').waitFor();
        expect(await field.inputValue()).to.equal('');
        expect(await fits(page)).to.equal(true);
      }
      await page.keyboard.type('correct horse battery');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your password is set' }).waitFor();
      expect(await fits(page)).to.equal(true);
      expect(
        complaints.filter((complaint) => !/favicon|status of 422/.test(complaint)),
      ).to.deep.equal([]);
      await signIn(stack, { email, password: 'correct horse battery' });
      await page.goto(url);
      await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
      expect(await fits(page)).to.equal(true);
    });
  }
});
