import { expect } from 'chai';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { MemberRole } from '../../../domain/accounts/roles.ts';
import { complaintsOf, useBrowser, WIDE } from '../../support/browser.ts';
import { dashboardMember } from '../../support/dashboard.ts';
import { expectNoLeaks, type Stack, type StackOptions, startStack } from '../../support/stack.ts';

export interface Dashboard {
  stack: Stack;
  browser: Browser;
  at(path: string): string;
  /** A page of a member with this role, who is signed in. Nobody may complain in it. */
  pageOf(
    role: MemberRole,
    options?: BrowserContextOptions,
    tenant?: { tenant_id: string },
  ): Promise<Page>;
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

/** Gives the tests of this suite a dashboard. Skips them where there is no Chromium. */
export function useDashboard(options: StackOptions = {}): Dashboard {
  const dashboard = {} as Dashboard;
  let opened: { context: BrowserContext; complaints: string[] }[] = [];

  const newPage: Dashboard['newPage'] = async (more = {}) => {
    const context = await dashboard.browser.newContext({ viewport: WIDE, ...more });
    const page = await context.newPage();
    opened.push({ context, complaints: complaintsOf(page) });
    return page;
  };
  Object.assign(dashboard, {
    at: (path: string) => `${dashboard.stack.context.env.publicUrl}/dashboard${path}`,
    newPage,
    pageOf: async (
      role: MemberRole,
      more?: BrowserContextOptions,
      tenant: { tenant_id: string } = dashboard.stack.tenant,
    ) => {
      const page = await newPage(more);
      const { cookies } = await dashboardMember(dashboard.stack, tenant, role);
      await page.context().addCookies(
        [...cookies].map(([name, value]) => ({
          name,
          value,
          url: dashboard.at(''),
          httpOnly: true,
          sameSite: 'Lax' as const,
        })),
      );
      return page;
    },
  });
  useBrowser(async (browser) => {
    dashboard.browser = browser;
    dashboard.stack = await startStack(options);
  });
  afterEach(async () => {
    for (const { context, complaints } of opened) {
      await context.close();
      expect(complaints.filter(isDefect), 'what the browser complains about').to.deep.equal([]);
    }
    opened = [];
    if (dashboard.stack) await expectNoLeaks(dashboard.stack);
  });
  after(() => dashboard.stack?.[Symbol.asyncDispose]());
  return dashboard;
}

/** What is refused, or not there, is answered 4xx, which Chromium reports. */
function isDefect(complaint: string): boolean {
  return !/status of 4(01|03|04|22)/.test(complaint);
}
