import { expect } from 'chai';
import { expectPage, newLink, submit, visit } from '../../support/payment-links.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { generousLimits, startStack } from '../../support/stack.ts';

describe('The form of a payment link', () => {
  it('is limited for each link, network and minute, whatever is sent; beyond that a page asks to wait', async () => {
    const rateLimits = { ...generousLimits, linkForm: { points: 3, windowMs: 600_000 } };
    await using stack = await startStack({
      workers: false,
      env: { rateLimits, trustProxy: 'loopback' },
    });
    const [link, other] = [await newLink(stack), await newLink(stack)];
    for (const email of ['nobody', 'ada@example.com', 'ada@example.com'])
      expect((await submit(stack, link, { email })).status).to.be.oneOf([303, 422]);

    const refused = await writingNothing(stack, () => submit(stack, link));
    expectPage(refused, 429, 'Too many tries');
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 600);

    expect((await visit(stack, other)).status, 'looking').to.equal(200);
    expect((await submit(stack, other)).status, 'another link').to.equal(303);
    const elsewhere = { 'x-forwarded-for': '203.0.113.7' };
    const again = await submit(stack, link, { email: 'ada@example.com' }, elsewhere);
    expect(again.status, 'from another network').to.equal(303);
  });

  it('to an address that is no link is not counted, so nobody fills the limits with made-up ids', async () => {
    const rateLimits = { ...generousLimits, linkForm: { points: 1, windowMs: 600_000 } };
    await using stack = await startStack({ workers: false, env: { rateLimits } });
    for (const id of ['lnk_x', 'lnk_x', 'lnk_x%00'])
      expect((await submit(stack, { id })).status, id).to.equal(404);
  });
});
