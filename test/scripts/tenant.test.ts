import { expect } from 'chai';
import { tenant as program } from '../../scripts/tenant/program.ts';
import { writingNothing } from '../support/row-counts.ts';
import { runHere } from '../support/run-here.ts';
import { useStack } from '../support/stack.ts';
import { settingsOf } from './ops-fixture.ts';

describe('npm run tenant', () => {
  const stack = useStack({ workers: false });

  const create = (...args: string[]) =>
    runHere(program, ['create', ...args], { ...settingsOf(stack), SANDBOX_URL: '' });

  it('shows secrets once, as text or JSON, and the key works', async () => {
    const shown = await create('--name', 'Ada', '--email', 'ada@shop.example');
    expect([shown.code, shown.stderr]).to.deep.equal([0, '']);
    expect(shown.stdout).to.match(/^Shown once, kept nowhere:\n/);
    const [, key] = /^ {2}secret_key_test +(\S+)$/m.exec(shown.stdout)!;
    expect((await stack.api.get('/refunds', { key: key! })).status).to.equal(200);
    const { stdout } = await create('--name', 'Ben', '--email', 'ben@shop.example', '--json');
    expect(stdout.split('\n')).to.have.length(2);
    expect(JSON.parse(stdout).owner.email).to.equal('ben@shop.example');
  });

  it('takes an e-mail address that another business has, and trims the name', async () => {
    const { email } = stack.tenant.owner;
    const { stdout } = await create('--name', ' Eve ', '--email', email, '--json');
    const [row] = await stack.sql<{ name: string }>`select name from tenants
      where id = ${JSON.parse(stdout).tenant_id}`;
    expect(row!.name).to.equal('Eve');
  });

  it('refuses in one sentence', async () => {
    const refused = [
      [['--name', ' ', '--email', 'eve@shop.example'], '--name must be 1 to 100 characters.'],
      [['--name', 'Eve', '--email', 'eve'], '--email must be an e-mail address.'],
      [
        ['--name', 'Eve', '--email', 'eve@shop.example', '--sandbox'],
        '--sandbox needs SANDBOX_URL, the address of the sandbox.',
      ],
      [['--name', 'Eve'], "error: required option '--email <email>' not specified"],
    ] as const;
    for (const [args, sentence] of refused) {
      const { code, stdout, stderr } = await writingNothing(stack, () => create(...args));
      expect([code, stdout, stderr.trim()]).to.deep.equal([1, '', sentence]);
    }
  });
});
