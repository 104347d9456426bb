import { expect } from 'chai';
import { useDashboard } from './fixture.ts';

describe('A developer with a browser and API keys', () => {
  const dashboard = useDashboard({ workers: false });

  for (const javaScriptEnabled of [true, false]) {
    it(`makes a key, uses it, and revokes it${javaScriptEnabled ? '' : ', without scripts'}`, async () => {
      const page = await dashboard.pageOf('developer', { javaScriptEnabled });
      await page.goto(dashboard.at('/developers'));
      const keys = page.getByRole('region', { name: 'API keys in test mode' });
      await keys.getByLabel('Name').fill('Web shop');
      await keys.getByRole('button', { name: 'Create key' }).click();
      const key = await page
        .getByRole('status')
        .getByText(/^svc_sk_test_/)
        .innerText();
      const use = () =>
        fetch(`${dashboard.stack.baseUrl}/transactions`, {
          headers: { authorization: `Bearer ${key}` },
        });
      expect((await use()).status).to.equal(200);

      await page.goto(dashboard.at('/developers'));
      expect(await page.content(), 'shown once').not.to.include(key);
      await keys.getByRole('button', { name: `Revoke the key …${key.slice(-4)}` }).click();
      await page.getByRole('status').filter({ hasText: 'The key is revoked.' }).waitFor();
      expect((await use()).status).to.equal(401);
    });
  }

  it('bounds a public key, is told which bound is wrong, and lifts them', async () => {
    const page = await dashboard.pageOf('developer', { javaScriptEnabled: false });
    await page.goto(dashboard.at('/developers'));
    const keys = page.getByRole('region', { name: 'API keys in test mode' });
    await keys.getByLabel('Kind').selectOption('public');
    await keys.getByLabel('Least amount of a public key').fill('500');
    await keys.getByLabel('Description of a public key').fill('Donation');
    await keys.getByRole('button', { name: 'Create key' }).click();
    await page
      .getByRole('status')
      .getByText(/^svc_pk_test_/)
      .waitFor();

    const bounds = () => keys.locator('details', { hasText: 'at least ₦500.00; “Donation”' });
    await bounds().locator('summary').click();
    await bounds().getByLabel('Greatest amount').fill('200');
    await bounds().getByRole('button', { name: 'Save' }).click();
    await bounds()
      .getByText(/Greatest amount must not be below/)
      .waitFor();
    expect(await bounds().getByLabel('Greatest amount').inputValue()).to.equal('200');
    expect(await keys.getByLabel('Greatest amount of a public key').inputValue()).to.equal('');
    for (const field of ['Least amount', 'Greatest amount', 'Description'])
      await bounds().getByLabel(field).fill('');
    await bounds().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'The key is changed.' }).waitFor();
    expect(await bounds().count()).to.equal(0);
  });
});
