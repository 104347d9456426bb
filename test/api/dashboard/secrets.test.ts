import { expect } from 'chai';
import { exports } from '../../../api/dashboard/exports/exports.ts';
import { views } from '../../../api/dashboard/views.ts';
import {
  csrfOf,
  type DashboardBrowser,
  dashboardMember,
  type Page,
} from '../../support/dashboard.ts';
import { enrolAuthenticator } from '../../support/dashboard-authenticator.ts';
import { filledPath, rowsOfEachKind } from '../../support/dashboard-rows.ts';
import { unescaped } from '../../support/html.ts';
import { useStack } from '../../support/stack.ts';

describe('Secrets in the dashboard', () => {
  const stack = useStack({ workers: false });
  let owner: DashboardBrowser & { email: string };
  let ids: Record<string, string>;
  before(async () => {
    owner = await dashboardMember(stack, stack.tenant, 'owner');
    ids = await rowsOfEachKind(stack);
  });

  const post = async (path: string, fields: Record<string, string> = {}) => {
    const page = await owner.post(filledPath(path, ids), { csrf: csrfOf(owner), ...fields });
    expect(page.status, page.html).to.equal(200);
    return page;
  };
  const found = (page: Page, pattern: RegExp) => {
    const secrets = unescaped(page.html).match(pattern);
    expect(secrets, String(pattern)).not.to.equal(null);
    return secrets![0];
  };

  /** No view and no file has it, in any letter case, as it is or as a value of an attribute. */
  async function expectNeverAgain(secret: string): Promise<void> {
    for (const { path } of [...views, ...exports]) {
      const page = await owner.get(filledPath(path, ids));
      expect(page.status, path).to.equal(200);
      expect(unescaped(page.html).toLowerCase(), path).not.to.include(secret.toLowerCase());
    }
  }

  it('an API key is in the answer that made it, and never again', async () => {
    const page = await post('/developers/keys', { kind: 'secret', name: 'Shop' });
    await expectNeverAgain(found(page, /svc_sk_test_[0-9a-z]{36}/));
  });

  it('a webhook secret is in the answer that made it, and never again', async () => {
    const made = await post('/developers/endpoints', {
      url: 'http://127.0.0.1:9/other',
      event_types: 'charge.succeeded',
    });
    await expectNeverAgain(found(made, /whsec_[\w+/=]{44}/));
    const rotated = await post('/developers/endpoints/:id/rotate-secret');
    await expectNeverAgain(found(rotated, /whsec_[\w+/=]{44}/));
  });

  it('a set-password link is in the answer that made it, and never again', async () => {
    const invited = await post('/members', { email: 'ada@shop.example', role: 'viewer' });
    await expectNeverAgain(found(invited, /set-password\/[0-9a-z]{40}/));
    const [member] = await stack.sql<{ id: string }>`select id from members
      where email = 'ada@shop.example'`;
    const again = await owner.post(`/members/${member!.id}/link`, { csrf: csrfOf(owner) });
    await expectNeverAgain(found(again, /set-password\/[0-9a-z]{40}/));
  });

  it('an authenticator’s secret and recovery codes are shown while it is enrolled, and never again', async () => {
    const { secret, recoveryCodes } = await enrolAuthenticator(stack, owner);
    const prepared = await owner.post('/account/authenticator', { csrf: csrfOf(owner) });
    expect(prepared.status).to.equal(409);
    for (const one of [secret, recoveryCodes[0]!]) {
      expect(prepared.html).not.to.include(one);
      await expectNeverAgain(one);
    }
  });

  it('the session’s token is in no view', () =>
    expectNeverAgain(owner.cookies.get('local-session')!));

  it('answers are stored by nobody on the way', async () => {
    for (const { path } of [...views, ...exports]) {
      const { headers } = await owner.get(filledPath(path, ids));
      expect(headers.get('cache-control'), path).to.equal('no-store');
    }
  });
});
