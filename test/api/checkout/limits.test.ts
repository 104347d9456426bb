import { expect } from 'chai';
import { newCharge } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { expectPage, newLink, submit } from '../../support/payment-links.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { generousLimits, useStack } from '../../support/stack.ts';

describe('Beyond the limit of its network', () => {
  const few = { points: 3, windowMs: 600_000 };
  const ten = { ...few, points: 10 };
  const limits = { payVisit: ten, payStatus: ten, linkVisit: ten, linkForm: few, payRetry: few };
  const rateLimits = { ...generousLimits, ...limits };
  const stack = useStack({ workers: false, env: { rateLimits, trustProxy: 'loopback' } });
  const here = { 'x-forwarded-for': '203.0.113.8' };
  const elsewhere = { 'x-forwarded-for': '203.0.113.7' };
  const look = (path: string, headers = {}) => rawRequest(stack, { path, headers });

  it('a visit gets a page that says so and loads itself again; other networks are not affected', async () => {
    const [charge, link] = [await newCharge(stack), await newLink(stack)];
    for (const path of [`/pay/${charge.id}`, `/l/${link.id}`]) {
      for (let visit = 0; visit < 10; visit++) expect((await look(path)).status).to.equal(200);
      const refused = await look(path);
      expectPage(refused, 429, 'Many people are here at once');
      expect(refused.headers.get('refresh')).to.equal(refused.headers.get('retry-after'));
      expect((await look(path, elsewhere)).status).to.equal(200);
    }
    const drawn = await look(`/l/${link.id}/qr.png`);
    expect(drawn.status, 'drawing costs as much as a visit').to.equal(429);
    for (let visit = 0; visit < 10; visit++)
      expect((await look(`/pay/${charge.id}/status`)).status).to.equal(200);
    expectRefused(await look(`/pay/${charge.id}/status`), 'rate_limited');
  });

  it('the form of a link is refused, whatever is sent, for that link alone; a page asks to wait', async () => {
    const send = (link: { id: string }, fields = { email: 'ada@example.com' }) =>
      submit(stack, link, fields, here);
    for (const id of ['lnk_x', 'lnk_x', 'lnk_x', 'lnk_x', 'lnk_x%00'])
      expect((await send({ id })).status, 'made-up ids fill no limit').to.equal(404);
    const [link, other] = [await newLink(stack), await newLink(stack)];
    for (const email of ['nobody', 'ada@example.com', 'ada@example.com'])
      expect((await send(link, { email })).status).to.be.oneOf([303, 422]);
    const refused = await writingNothing(stack, () => send(link));
    expectPage(refused, 429, 'Too many tries');
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 600);
    expect((await send(other)).status, 'another link').to.equal(303);
    const again = await submit(stack, link, { email: 'ada@example.com' }, elsewhere);
    expect(again.status, 'from another network').to.equal(303);
  });

  it('another try is refused, for that checkout alone', async () => {
    const [charge, other] = [await newCharge(stack), await newCharge(stack)];
    const retry = ({ id }: { id: string }, headers = {}) =>
      rawRequest(stack, { method: 'POST', path: `/pay/${id}`, headers });
    for (let tries = 0; tries < 3; tries++) expect((await retry(charge)).status).to.equal(303);
    expectPage(await writingNothing(stack, () => retry(charge)), 429, 'Too many tries');
    expect((await retry(other)).status, 'another checkout').to.equal(303);
    expect((await retry(charge, elsewhere)).status, 'from another network').to.equal(303);
  });
});
