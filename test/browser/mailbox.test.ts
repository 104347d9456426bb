import { expect } from 'chai';
import { createTransport } from 'nodemailer';
import { startMailbox } from '../../scripts/local/mailbox.ts';
import { violationsOf } from '../support/axe.ts';
import { useBrowserStack } from '../support/browser.ts';

describe('The mailbox of a developer', () => {
  const stack = useBrowserStack();

  it('can be read by everybody, empty, with mails, and a mail of its own', async () => {
    await using mailbox = await startMailbox(0);
    const page = await stack.browser.newPage();
    const expectAccessible = async (path: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setContent(mailbox.page(path)!);
        expect(await violationsOf(page), `${path}, ${colorScheme}`).to.deep.equal([]);
      }
    };
    await expectAccessible('');
    const mail = { from: 'Shop <shop@test.example>', to: 'ada@test.example', subject: 'Welcome' };
    const html = '<html lang="en"><title>Welcome</title><main><h1>Welcome</h1></main></html>';
    await createTransport(mailbox.url).sendMail({ ...mail, html, text: 'Welcome' });
    for (const path of ['', '/1']) await expectAccessible(path);
    await page.context().close();
  });
});
