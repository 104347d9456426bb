import { expect } from 'chai';
import { statement as program } from '../../scripts/statement/program.ts';
import { paidCharge } from '../support/charges.ts';
import { runHere } from '../support/run-here.ts';
import { useStack } from '../support/stack.ts';
import { settingsOf } from './ops-fixture.ts';

describe('npm run statement', () => {
  const stack = useStack();
  const run = (...args: string[]) => runHere(program, args, settingsOf(stack));
  const month = () => stack.clock().toISOString().slice(0, 7);

  it('draws up the statements of every tenant with money, and ends with 0', async () => {
    const other = await stack.newTenant();
    await paidCharge(stack);
    const { code, stdout, stderr } = await run('--month', month());
    expect(code, stderr).to.equal(0);
    expect(stdout)
      .to.include(`Tenant ${stack.tenant.tenant_id}`)
      .and.match(/^Paid by the customer +On the way to the bank +Collected +This month +1 /m)
      .and.match(/1 statement of \w+ \d{4}: everything adds up\.\n$/);
    expect(stdout).not.to.include(other.tenant_id);
  });

  it('prints one JSON object, with what the API answers', async () => {
    await paidCharge(stack);
    const { code, stdout } = await run(
      '--month',
      month(),
      '--tenant',
      stack.tenant.tenant_id,
      '--json',
    );
    expect(code).to.equal(0);
    expect(stdout.split('\n')).to.have.length(2);
    const { statements, ...end } = JSON.parse(stdout);
    expect(end).to.deep.equal({ month: month(), count: 1, wrong: 0, complete: true });
    const { json } = await stack.api.get(`/statements/${month()}`);
    expect({ ...statements[0], counted_until: 0 }).to.deep.equal({ ...json, counted_until: 0 });
  });

  it('ends with 3 where a statement does not add up', async () => {
    await paidCharge(stack);
    await stack.sql`insert into balance_snapshots
      select id, '', 'capture', 'at_provider', 'payers', 1, 1 from connections
      where tenant_id = ${stack.tenant.tenant_id} and mode = 'test' limit 1`;
    const { code, stdout } = await run('--month', month());
    await stack.sql`delete from balance_snapshots where before_id = ''`;
    expect(code).to.equal(3);
    expect(stdout).to.include('1 of 1 statement');
  });

  it('ends with 1 where it cannot be run', async () => {
    for (const [args, why] of [
      [['--month', '2026-13'], '--month must be a month, such as 2026-11.'],
      [['--month', '9998-01'], '--month must not lie ahead.'],
      [['--month', month(), '--tenant', 'ten'], '--tenant must be the id of a tenant'],
      [['--month', month(), '--tenant', `ten_${'0'.repeat(26)}`], 'There is no tenant ten_000'],
    ] as const) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.include(why);
    }
  });
});
