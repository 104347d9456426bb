import { expect } from 'chai';
import { generateSync } from 'otplib';
import { csrfOf, type DashboardBrowser, type Page } from './dashboard.ts';
import type { Stack } from './stack.ts';

export interface Authenticator {
  secret: string;
  recoveryCodes: string[];
  code: () => string;
}

export async function enrolAuthenticator(stack: Pick<Stack, 'clock'>, browser: DashboardBrowser) {
  const prepared = await browser.post('/account/authenticator', { csrf: csrfOf(browser) });
  return confirm(stack, prepared, (code) =>
    browser.postAndFollow('/account/authenticator/confirm', { csrf: csrfOf(browser), code }),
  );
}

export async function enrolAtSignIn(stack: Pick<Stack, 'clock'>, browser: DashboardBrowser) {
  const prepared = await browser.get('/sign-in/enrol');
  return confirm(stack, prepared, (code) => browser.submit('/sign-in/enrol', { code }));
}

async function confirm(
  { clock }: Pick<Stack, 'clock'>,
  prepared: Page,
  give: (code: string) => Promise<Page>,
): Promise<Authenticator> {
  const secret = /<code class="text-break">([A-Z2-7]+)</.exec(prepared.html)![1]!;
  const code = () => generateSync({ secret, epoch: Math.floor(clock().getTime() / 1_000) });
  const { status, html } = await give(code());
  expect(status, html).to.equal(200);
  const recoveryCodes = [...html.matchAll(/<code>([0-9a-z-]{23})</g)].map(([, one]) => one!);
  expect(recoveryCodes).to.have.lengthOf(10);
  return { secret, recoveryCodes, code };
}
