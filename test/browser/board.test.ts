import { expect } from 'chai';
import { useBrowserStack } from '../support/browser.ts';
import { describeOnEachQueue } from '../support/each-queue.ts';

describeOnEachQueue('An operator with a browser', (queues) => {
  const stack = useBrowserStack({ queues, workers: false });

  it('sees the queues, opens a job, and finds no button that changes anything', async () => {
    await stack.api.post('/charges', { amount_kobo: 10_000, email: 'ada@example.com' });
    await stack.context.dispatcher.idle();
    const [attempt] = await stack.sql`select id, connection_id from attempts`;
    const page = await stack.browser.newPage({
      httpCredentials: { username: 'operator', password: 'operator-password' },
    });
    await page.goto(`${stack.origin}/ops/queues`);
    await page.getByRole('link', { name: 'charge-create' }).first().click();
    await page.getByText(attempt!.connection_id).first().click();
    await page.getByText(attempt!.id).first().waitFor();
    const buttons = await page.getByRole('button').allInnerTexts();
    expect(buttons.join(' ')).not.to.match(
      /add|retry|promote|pause|clean|empty|remove|delete|duplicate|obliterate/i,
    );
    await page.close();
  });
});
