import { expect } from 'chai';
import { paidCharge } from '../../support/charges.ts';
import { startMerchantServer } from '../../support/merchant-server.ts';
import { useDashboard } from './fixture.ts';

describe('A developer with a browser and a webhook endpoint', () => {
  const dashboard = useDashboard();

  it('adds it, tests it, sees it fail, mends it, and sends the event again', async () => {
    const { stack } = dashboard;
    await using server = await startMerchantServer(stack.clock);
    const page = await dashboard.pageOf('developer');
    await page.goto(dashboard.at('/developers'));
    await page.getByLabel('Address', { exact: true }).fill(server.url);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page
      .getByRole('status')
      .getByText(/^whsec_/)
      .waitFor();
    const row = page.getByRole('row').filter({ hasText: server.url });
    await row.getByRole('button', { name: 'Send test delivery' }).click();
    await page.getByRole('status').getByText('Your endpoint answered 200').waitFor();

    server.answer = (response) => void response.writeHead(500).end('Out of order');
    await page.getByRole('button', { name: 'Send test delivery' }).click();
    await page.getByRole('status').getByText('Your endpoint answered 500').waitFor();
    const { reference } = await paidCharge(stack);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    const delivery = page.getByRole('row').filter({ hasText: 'charge.succeeded' });
    expect(await delivery.innerText()).to.match(/Pending\s+1\s+500/);
    await delivery.getByRole('link').click();
    await page.getByText('answered 500').waitFor();
    await page.getByText('Out of order').waitFor();

    server.answer = (response) => void response.writeHead(200).end();
    server.arrivals.length = 0;
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('Sent again for').waitFor();
    await stack.settle();
    await page.getByText('Delivered', { exact: true }).waitFor(); // nobody reloads
    await page.getByText('answered 200').waitFor();
    expect(server.arrivals.map(({ event }) => event.data.reference)).to.deep.equal([reference]);
  });
});
