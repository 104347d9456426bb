import { expect } from 'chai';
import { reconcile as program } from '../../scripts/reconcile/program.ts';
import { paidCharge, stored } from '../support/charges.ts';
import { run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';
import { type Stack, startStack } from '../support/stack.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const span = ['--from', day(-7), '--to', day(7)];

describe('npm run reconcile', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());

  const settings = () => ({
    DATABASE_URL: stack.context.env.databaseUrl,
    SANDBOX_URL: stack.sandbox.url,
    MASTER_KEY: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    LOG_LEVEL: 'warn',
  });
  const reconcile = (...args: string[]) => runHere(program, args, settings());
  /** As a process of its own. */
  const started = (...args: string[]) => run(['scripts/reconcile.ts', ...args], settings());
  const settle = async (body: object) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    expect((await fetch(`${stack.sandbox.url}/_control/settle`, init)).status).to.equal(200);
  };
  const object = ({
    stdout,
    stderr,
  }: Awaited<ReturnType<typeof reconcile>>): Record<string, any> => {
    expect(stdout.split('\n'), stderr).to.have.length(2);
    return JSON.parse(stdout);
  };

  it('settles what landed at each provider, and ends with 0', async () => {
    const charges = [];
    for (const provider of ['provider_a', 'provider_b', 'provider_c'])
      charges.push(await paidCharge(stack, { provider }));
    await settle({});
    const { code, stdout, stderr } = await reconcile(...span);
    expect(code, stderr).to.equal(0);
    expect(stdout)
      .to.include('Everything that was due landed. No discrepancy is open.')
      .and.match(/unexplained +0\.00/);
    for (const charge of charges) expect((await stored(stack, charge)).status).to.equal('settled');
    expect(object(await reconcile(...span, '--json'))).to.include({
      complete: true,
      clean: true,
      difference_kobo: 0,
      unexplained_kobo: 0,
    });
  });

  it('names what is short, to the kobo, and ends with 3; two at once report the same', async () => {
    await paidCharge(stack);
    await settle({ short_by_kobo: 12_345 });
    const [one, two] = await Promise.all([started(...span), reconcile(...span, '--json')]);
    expect([one.code, two.code], one.stderr + two.stderr).to.deep.equal([3, 3]);
    expect(one.stdout)
      .to.match(/ 123\.45 {2}short, settlement stl_/)
      .and.match(/explained by 1 open discrepancy +123\.45/)
      .and.match(/^ +123\.45 {2}together$/m);
    const { connections, ...totals } = object(two);
    expect(totals).to.include({
      clean: false,
      discrepancy_count: 1,
      discrepancies_kobo: 12_345,
      unexplained_kobo: 0,
    });
    const [account] = connections.filter(
      ({ discrepancy_count: found }: { discrepancy_count: number }) => found > 0,
    );
    expect(account.settlements.at(-1)).to.include({
      object: 'settlement',
      status: 'short',
      shortfall_kobo: 12_345,
    });
    expect(account.discrepancies[0]).to.include({
      object: 'discrepancy',
      kind: 'short',
      difference_kobo: 12_345,
      status: 'open',
    });
  });

  it('reports only on the given days', async () => {
    const { code, stdout } = await reconcile('--from', day(-30), '--to', day(-20), '--json');
    expect([code, JSON.parse(stdout).expected_kobo]).to.deep.equal([0, 0]);
  });

  it('ends with 1 and names the provider that does not answer; it reports on the others', async () => {
    await paidCharge(stack);
    await settle({});
    await stack.control.faults({ provider: 'flutterwave', error_rate: 1 });
    const { code, stdout, stderr } = await reconcile(...span);
    expect(code).to.equal(1);
    expect(stderr).to.match(/^These could not be read completely:\n {2}con_\w+: .+\n$/);
    expect(stdout).to.include('NOT COMPLETE').and.include('landed');
  });

  it('refuses wrong options in one sentence', async () => {
    const refused = [
      [['--from', '2026-13-01', '--to', day(0)], '--from must be a day, such as 2026-11-01.'],
      [['--from', day(1), '--to', day(0)], '--from must not be later than --to.'],
      [[...span, '--tenant', 'me'], '--tenant must be the id of a tenant: ten_ and 26 characters.'],
      [
        [...span, '--tenant', `ten_${'0'.repeat(26)}`],
        `No connection belongs to a tenant ten_${'0'.repeat(26)}.`,
      ],
      [['--from', day(0)], "error: required option '--to <date>' not specified"],
    ] as const;
    const runs = await Promise.all(refused.map(([args]) => reconcile(...args)));
    expect(runs.map(({ code, stdout, stderr }) => [code, stdout, stderr.trim()])).to.deep.equal(
      refused.map(([, sentence]) => [1, '', sentence]),
    );
  });
});
