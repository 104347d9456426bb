import { expect } from 'chai';
import type { RateLimits } from '../../config/limits/rate-limits.ts';
import { revokeKeys } from '../support/connect.ts';
import { expectRefused } from '../support/contract.ts';
import { generousLimits, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const body = { amount_kobo: 10_000, email: 'ada@example.com' };

describe('The rate limit’s window', () => {
  const short: RateLimits = { ...generousLimits, secretKey: { points: 3, windowMs: 2_000 } };

  it('does not begin for a revoked key: no counter is stored', async () => {
    await using stack = await startStack({
      workers: false,
      env: { rateLimits: { ...short, secretKey: { points: 3, windowMs: 1_000 } } },
    });
    const { headers } = await stack.api.get('/nothing');
    const endMs = performance.now() + Number(headers.get('x-ratelimit-reset')) * 1_000;
    await revokeKeys(stack, stack.tenant.tenant_id);
    expectRefused(await stack.api.get('/nothing'), 'unauthorized');
    await until('the window’s end', async () => performance.now() > endMs);
    await stack.context.db.query('delete from rate_limits');
    expectRefused(await stack.api.get('/nothing'), 'unauthorized');
    expect(await stack.count('rate_limits')).to.equal(0);
  });

  it('ends at Retry-After; a refused request uses up no Idempotency-Key', async () => {
    await using stack = await startStack({ workers: false, env: { rateLimits: short } });
    await until('the limit', async () => (await stack.api.get('/nothing')).status === 429);
    const refused = await stack.api.post('/charges', body, { idempotencyKey: 'once' });
    expectRefused(refused, 'rate_limited');
    const endMs = performance.now() + Number(refused.headers.get('retry-after')) * 1_000;
    await until('the window’s end', async () => performance.now() > endMs);
    const created = await stack.api.post(
      '/charges',
      { ...body, amount_kobo: 20_000 },
      { idempotencyKey: 'once' },
    );
    expect([created.status, created.json.amount_kobo]).to.deep.equal([201, 20_000]);
  });
});
