import { expect } from 'chai';
import { opsOf } from '../scripts/ops-fixture.ts';
import { newCharge, stored } from '../support/charges.ts';
import { MINUTE } from '../support/clock.ts';
import { rawRequest } from '../support/raw-http.ts';
import { useStack } from '../support/stack.ts';

describe('A row that always throws', () => {
  const stack = useStack();

  const status = opsOf(stack, 'status');
  const named = async () => (await status.object('--json')).failing_rows;
  const figures = async () => {
    const authorization = `Basic ${Buffer.from('operator:operator-password').toString('base64')}`;
    const { text } = await rawRequest(stack, { path: '/metrics', headers: { authorization } });
    return text.split('\n').filter((line) => line.startsWith('pcs_row_failures'));
  };
  const setCredentials = (sql: string) =>
    stack.context.db.query(`update connections set credentials = ${sql}`);

  it('is named after its ninth failure, in ops status and by the figure of the alert, until it succeeds', async () => {
    await setCredentials(`'spoilt.' || credentials`);
    const charge = await newCharge(stack);
    await stack.settle();
    for (let failures = 2; failures <= 8; failures++) await stack.pass(5 * MINUTE);
    const [attempt] = (await stored(stack, charge)).attempts;
    expect(attempt).to.include({ failures: 8, tries: 8 });
    expect([await named(), await figures()]).to.deep.equal([[], []]);

    await stack.pass(5 * MINUTE);
    const [row, ...others] = await named();
    expect(row).to.include({
      ...{ queue: 'charge-create', id: attempt!.id, group: attempt!.connection_id },
      ...{ tries: 9, failures: 9 },
    });
    const nextMs = Date.parse(row.next_try_at) - stack.clock().getTime();
    expect(nextMs).to.be.within(4 * MINUTE, 5 * MINUTE);
    expect(row.last_error).to.be.a('string').with.length.within(10, 300);
    expect(others).to.deep.equal([]);
    const { stdout: text } = await status();
    expect(text).to.include(`${attempt!.id} of ${attempt!.connection_id}: 9 failures in a row`);
    expect(text).to.include(`last error: ${row.last_error}`);
    expect(await figures()).to.deep.equal([
      `pcs_row_failures{queue="charge-create",row="${attempt!.id}"} 9`,
    ]);

    await setCredentials(`replace(credentials, 'spoilt.', '')`);
    await stack.pass(5 * MINUTE);
    expect(await stored(stack, charge)).to.include({ status: 'pending' });
    expect([await named(), await figures()]).to.deep.equal([[], []]);
  });
});
