import { expect } from 'chai';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { MemberRole } from '../../../domain/accounts/roles.ts';
import { complaintsOf, useBrowserStack, WIDE } from '../../support/browser.ts';
import { dashboardMember } from '../../support/dashboard.ts';
import { expectNoLeaks, type StackOptions } from '../../support/stack.ts';

/** Gives the tests of this suite a dashboard. Skips them where there is no Chromium. */
export function useDashboard(options: StackOptions = {}) {
  const stack = useBrowserStack(options);
  const opened: { context: BrowserContext; complaints: string[] }[] = [];
  const at = (path: string) => `${stack.context.env.publicUrl}/dashboard${path}`;

  /** A page in which the browser may complain of nothing. */
  async function newPage(more: BrowserContextOptions = {}): Promise<Page> {
    const context = await stack.browser.newContext({ viewport: WIDE, ...more });
    const page = await context.newPage();
    opened.push({ context, complaints: complaintsOf(page) });
    return page;
  }

  /** One that shows this view to a member with this role, who is signed in. */
  async function pageOf(
    role: MemberRole,
    path: string,
    more: BrowserContextOptions = {},
    tenant: { tenant_id: string } = stack.tenant,
  ): Promise<Page> {
    const page = await newPage(more);
    const { cookies } = await dashboardMember(stack, tenant, role);
    const kept = { url: at(''), httpOnly: true, sameSite: 'Lax' } as const;
    await page
      .context()
      .addCookies([...cookies].map(([name, value]) => ({ name, value, ...kept })));
    await page.goto(at(path));
    return page;
  }

  afterEach(async () => {
    for (const { context, complaints } of opened.splice(0)) {
      await context.close();
      expect(complaints.filter(isDefect), 'what the browser complains about').to.deep.equal([]);
    }
    if (stack.context) await expectNoLeaks(stack);
  });
  return { stack, at, newPage, pageOf };
}

export const press = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name }).click();

export const saidIn = (page: Page, words: string) =>
  page.getByRole('status').filter({ hasText: words }).waitFor();

export const focused = (page: Page) => page.evaluate('document.activeElement.textContent.trim()');

/** What is refused, or not there, is answered 4xx, which Chromium reports. */
function isDefect(complaint: string): boolean {
  return !/status of 4(01|03|04|10|22)/.test(complaint);
}
