import { expect } from 'chai';
import { expectRefused } from '../support/contract.ts';
import { dashboardBrowser } from '../support/dashboard.ts';
import { rawRequest } from '../support/raw-http.ts';
import { generousLimits, useStack } from '../support/stack.ts';
import { statementsOf } from '../support/statements-of.ts';
import { type Account, accountsOf } from './notifications/given.ts';

const windowMs = 600_000;
const three = { points: 3, windowMs };
const wrong = { 'x-paystack-signature': 'a'.repeat(128), 'monnify-signature': 'a'.repeat(128) };
const rateLimits = { ...generousLimits, unknownBearer: three, badNotification: three };

describe('A network that only fails', () => {
  const stack = useStack({ workers: false, env: { rateLimits, trustProxy: 'loopback' } });

  const expectUnasked = async (call: () => Promise<unknown>) =>
    expect(await statementsOf(stack, call)).to.deep.equal([]);
  const from = (network: string) => ({ 'x-forwarded-for': network });

  it('with unknown credentials is refused before the database is asked, known ones are not', async () => {
    const get = (key: string, network: string) =>
      stack.api.get('/transactions', { key, headers: from(network) });
    const known = stack.tenant.secret_key_test;
    expect((await get(known, '203.0.113.1')).status).to.equal(200);
    const unknown = `svc_sk_test_${'0'.repeat(36)}`;
    for (let tried = 0; tried < 4; tried++)
      expectRefused(await get(unknown, '203.0.113.1'), 'unauthorized');
    await expectUnasked(async () => {
      const refused = await get(unknown, '203.0.113.1');
      expectRefused(refused, 'rate_limited');
      expect(refused.headers.get('retry-after')).to.match(/^[1-9]\d*$/);
    });
    expect((await get(known, '203.0.113.1')).status, 'known here').to.equal(200);
    expect((await get(unknown, '203.0.113.2')).status, 'another network').to.equal(401);
  });

  it('with unknown refresh tokens is refused before the database is asked, known ones are not', async () => {
    const network = from('203.0.113.3');
    const send = (path: 'refresh' | 'revoke', secret: string, headers = network) =>
      stack.api.post(`/auth/${path}`, { refresh_token: secret }, { key: null, headers });
    const { owner } = stack.tenant;
    const body = { ...owner, mode: 'test' };
    const signedIn = await stack.api.post('/auth/token', body, { key: null, headers: network });
    expect(signedIn.status).to.equal(200);
    const unknown = `hrt_${'0'.repeat(40)}`;
    for (let tried = 0; tried < 2; tried++) {
      expectRefused(await send('refresh', unknown), 'unauthorized');
      expect((await send('revoke', unknown)).status).to.equal(200);
    }
    await expectUnasked(async () => {
      for (const path of ['refresh', 'revoke'] as const)
        expectRefused(await send(path, unknown), 'rate_limited');
    });
    expect((await send('refresh', signedIn.json.refresh_token)).status, 'known').to.equal(200);
    const elsewhere = await send('refresh', unknown, from('203.0.113.4'));
    expect(elsewhere.status, 'another network').to.equal(401);
  });

  it('with unknown session cookies is refused before the database is asked, a member is not', async () => {
    const network = from('203.0.113.5');
    const browser = dashboardBrowser(stack.context.env.publicUrl);
    expect((await browser.post('/sign-in', stack.tenant.owner, network)).status).to.equal(303);
    const stranger = (n: number) => {
      const cookie = `local-session=${String(n).padStart(40, '0')}`;
      return rawRequest(stack, { path: '/dashboard', headers: { ...network, cookie } });
    };
    for (let tried = 0; tried < 4; tried++) expect((await stranger(tried)).status).to.equal(303);
    await expectUnasked(async () => {
      expect((await stranger(4)).status).to.equal(429);
    });
    expect((await browser.get('/', network)).status, 'signed in').to.equal(200);
  });

  it('with bad signatures is refused before the connection is looked up, a provider never is', async () => {
    const { paystack, monnify } = await accountsOf(stack, stack.tenant.tenant_id);
    let sent = 0;
    const send = (account: Account, network: string, isSigned: boolean) => {
      const body = account.bodyOf('SV-100001-abcdefgh', { id: ++sent });
      const headers = { ...from(network), ...(isSigned ? account.sign(body) : wrong) };
      const path = `/notifications/${account.connectionId}`;
      return rawRequest(stack, { method: 'POST', path, headers, body });
    };
    const provider = '203.0.113.7';
    const bursts = await Promise.all(
      Array.from({ length: 50 }, () => send(paystack!, provider, true)),
    );
    for (const { status } of bursts) expect(status).to.equal(200);
    for (let tried = 0; tried < 4; tried++) {
      expect((await send(monnify!, provider, false)).status).to.equal(401);
      expect((await send(paystack!, provider, false)).status).to.equal(401);
    }
    await expectUnasked(async () => {
      const refused = await send(monnify!, provider, false);
      expectRefused(refused, 'rate_limited');
      expect(refused.headers.get('connection')).to.equal('close');
    });
    expect((await send(paystack!, provider, true)).status, 'it signed before').to.equal(200);
    expect((await send(monnify!, '203.0.113.8', true)).status, 'another network').to.equal(200);
  });
});
