import { expect } from 'chai';
import type { RateLimits } from '../../config/limits/rate-limits.ts';
import { revokeKeys } from '../support/connect.ts';
import { expectRefused } from '../support/contract.ts';
import { generousLimits, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

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
});
