import { expect } from 'chai';
import { dashboardMember } from '../../support/dashboard.ts';
import { unescaped } from '../../support/html.ts';
import { startStack } from '../../support/stack.ts';

describe('The keys of a business', () => {
  it('are shown page by page beyond a hundred, each once', async () => {
    await using stack = await startStack({ workers: false });
    const developer = await dashboardMember(stack, stack.tenant, 'developer');
    await stack.sql`insert into api_keys (id, tenant_id, mode, kind, name, sha256, last4, created_at)
       select 'key_' || lpad(n::text, 26, '0'), ${stack.tenant.tenant_id}, 'test', 'secret', 'till ' || n || '.',
         md5(n::text), '0000', now() from generate_series(1, 101) n`;
    const tillsOf = (html: string) => html.match(/till \d+\./g) ?? [];
    const nextOf = (html: string) =>
      /href="[^"]*\/dashboard([^"]*)">Next page</.exec(html)?.[1] ?? undefined;
    const first = await developer.get('/developers');
    expect(first.status).to.equal(200);
    const next = nextOf(first.html);
    expect(next, 'a link to the next page').to.match(/^\/developers\?cursor=/);
    const second = await developer.get(unescaped(next!));
    expect(nextOf(second.html), 'after the last').to.equal(undefined);
    const tills = [...new Set(tillsOf(first.html)), ...new Set(tillsOf(second.html))];
    expect(tills).to.have.lengthOf(101);
    expect(new Set(tills)).to.have.lengthOf(101);
  });
});
