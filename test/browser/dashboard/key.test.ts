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
});
