import { expect } from 'chai';
import { views } from '../../../api/dashboard/views.ts';
import { isAllowed } from '../../../domain/accounts/roles.ts';
import { filledPath } from '../../support/dashboard-rows.ts';
import { addEverything } from './everything.ts';
import { useDashboard } from './fixture.ts';

describe('A viewer with a browser', () => {
  const dashboard = useDashboard({ workers: false });

  it('sees no button that changes anything, and is refused the form they forge', async () => {
    const ids = await addEverything(dashboard.stack);
    const page = await dashboard.pageOf('viewer');
    for (const view of views) {
      if (view.permission === 'any member' || !isAllowed('viewer', view.permission)) continue;
      await page.goto(dashboard.at(filledPath(view.path, ids)));
      const forms = await page
        .locator('main form[method=post]')
        .evaluateAll((all) => all.map((form) => form.getAttribute('action')));
      expect(forms, view.path).to.deep.equal([]);
    }
    const csrf = await page.locator('input[name=csrf]').first().inputValue();
    const url = dashboard.at(`/refunds/${ids['refunds id']}/approve`);
    const forged = `fetch(${JSON.stringify(url)}, { method: 'POST', body: new URLSearchParams({ csrf: ${JSON.stringify(csrf)} }) }).then(({ status }) => status)`;
    expect(await page.evaluate(forged)).to.equal(403);
    const { json } = await dashboard.stack.api.get(`/refunds/${ids['refunds id']}`);
    expect(json.status).to.equal('requested');
  });
});
