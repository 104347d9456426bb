import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect } from 'chai';
import type { RequestHandler } from 'express';
import { createApp } from '../../../api/app.ts';
import { newCharge } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { openAtProvider } from '../../support/open-at-provider.ts';
import { expectPage, newLink, submit } from '../../support/payment-links.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { generousLimits, useStack } from '../../support/stack.ts';

const VISITS = 1_000;
const limit = { points: 100, windowMs: 60_000 };

/** Calls the application without a network: a visit costs what it costs the service. */
function visitIn(app: RequestHandler, path: string): Promise<number> {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'GET', url: path, headers: { host: '127.0.0.1' } });
  const response = new ServerResponse(request);
  const discard = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  response.assignSocket(discard as Socket);
  return new Promise((resolve) => {
    response.on('finish', () => resolve(response.statusCode));
    void app(request as never, response as never, () => resolve(0));
  });
}

describe('A thousand visits from one network', () => {
  const rateLimits = { ...generousLimits, payVisit: limit, linkVisit: limit };
  const stack = useStack({ workers: false, env: { rateLimits } });
  let app: RequestHandler;
  before(() => {
    app = createApp(stack.context) as unknown as RequestHandler;
  });

  async function statuses(path: string, visits: number): Promise<Map<number, number>> {
    const found = new Map<number, number>();
    for (let done = 0; done < visits; done += 100) {
      const batch = Array.from({ length: 100 }, () => visitIn(app, path));
      for (const status of await Promise.all(batch))
        found.set(status, (found.get(status) ?? 0) + 1);
    }
    return found;
  }

  const calls = async () => {
    const { creates, verifies } = (await stack.control.stats()).paystack!;
    return { creates, verifies };
  };

  it('to a link cost the provider no call', async () => {
    const before = await calls();
    const link = await newLink(stack);
    const found = await statuses(`/l/${link.id}`, VISITS);
    expect([found.get(200), found.get(429)]).to.deep.equal([limit.points, VISITS - limit.points]);
    expect(await calls()).to.deep.equal(before);
  });

  it('to a checkout whose payer returned cost it at most one call a second', async () => {
    const charge = await newCharge(stack);
    await openAtProvider(stack, charge.reference);
    const before = await calls();
    const startedAt = stack.clock();
    const found = await statuses(`/pay/${charge.id}?returned=1`, VISITS);
    expect(found.get(429)).to.equal(VISITS - limit.points);
    // The clock moves by a millisecond each time it is read.
    const seconds = Math.ceil((stack.clock().getTime() - startedAt.getTime()) / 1_000);
    const after = await calls();
    expect(after.creates).to.equal(before.creates);
    expect(after.verifies - before.verifies).to.be.within(1, seconds);
    await statuses(`/pay/${charge.id}/status?returned=1`, 200);
    expect(await calls(), 'the status asks nobody').to.deep.equal(after);
  });
});

describe('Beyond the limit of its network', () => {
  const few = { points: 3, windowMs: 600_000 };
  const ten = { ...few, points: 10 };
  const limits = { payVisit: ten, payStatus: ten, linkVisit: ten, linkForm: few };
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
});
