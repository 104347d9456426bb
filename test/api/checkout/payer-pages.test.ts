import { expect } from 'chai';
import { connect } from '../../support/connect.ts';
import { expectRefused } from '../../support/contract.ts';
import { expectPage, newLink, titleOf } from '../../support/payment-links.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';
import { order } from './pay-fixture.ts';

const pages = [
  {
    name: 'The pay page',
    root: '/pay',
    prefix: 'ct_',
    unknown: 'There is no such checkout',
    policy: ["frame-ancestors 'none'", "script-src 'self'"],
    foreign: / style=| on\w+="|<script>|<style/,
    assets: ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'],
    also: ['/status'],
  },
  {
    name: 'The page of a payment link',
    root: '/l',
    prefix: 'lnk_',
    unknown: 'There is no such payment link',
    policy: ["frame-ancestors 'none'", "form-action 'self'", "style-src 'self'"],
    foreign: / style=| on\w+="|<script|<style/,
    assets: ['text/css; charset=utf-8'],
    also: [],
  },
] as const;

for (const { name, root, prefix, unknown, policy, foreign, assets, also } of pages)
  describe(name, () => {
    const stack = useStack({ workers: false });

    const open = async (key = stack.tenant.secret_key_test): Promise<string> =>
      root === '/l'
        ? (await newLink(stack, {}, key)).id
        : (await stack.api.post('/charges', order, { key })).json.id;
    const get = (path: string, headers = {}) =>
      rawRequest(stack, { path: `${root}/${path}`, headers });

    it('has headers that allow no foreign script, form target, frame, cache or referrer', async () => {
      const id = await open();
      for (const path of [id, ...also.map((more) => `${id}${more}`), 'unknown']) {
        const { headers } = await get(path);
        const sent = headers.get('content-security-policy')!;
        expect(sent.split(';')).to.include.members(["default-src 'none'", ...policy]);
        expect(sent).not.to.match(/unsafe|\*|https?:/);
        expect(Object.fromEntries(headers)).to.include({
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        });
        expect(headers.get('x-powered-by')).to.equal(null);
        expect(headers.get('request-id')).to.match(/^req_/);
      }
      for (const path of [id, 'unknown']) expect((await get(path)).text).not.to.match(foreign);
    });

    it('links files that exist', async () => {
      const { text } = await get(await open());
      const links = [...text.matchAll(/(?:href|src)="([^"]+\.(?:css|js))"/g)];
      const found = links.map(async ([, path]) => rawRequest(stack, { path: path! }));
      const types = (await Promise.all(found)).map(({ headers }) => headers.get('content-type'));
      expect(types).to.deep.equal(assets);
    });

    it('answers an unknown address with 404 and a page, and writes nothing', async () => {
      const id = await open();
      const none = `${prefix}01h455vb4pex5vsknk084sn02q`;
      const changed = [`x${id}`, `${id}0`, id.toUpperCase(), `${id}/nothing`];
      for (const address of [none, prefix, 'SV-100001', ...changed, '%zz', '%00', '']) {
        for (const method of ['GET', 'POST']) {
          const path = `${root}/${address}`;
          const answer = await writingNothing(stack, () => rawRequest(stack, { method, path }));
          expectPage(answer, 404, unknown, address);
          expect(answer.text).to.include(answer.headers.get('request-id'));
        }
      }
      const deleted = await rawRequest(stack, { method: 'DELETE', path: `${root}/${id}` });
      expect(deleted.status).to.equal(404);
      if (root === '/pay') expectRefused(await get(`${none}/status`), 'not_found'); // in JSON
    });

    it('answers plain http on another host with a page that asks for https', async () => {
      const { status, text } = await get(await open(), { host: 'pay.example' });
      expect([status, titleOf(text)]).to.deep.equal([403, 'This address needs https']);
    });

    it('does not mention testing in live mode', async () => {
      expect((await get(await open())).text).to.match(/test mode/i);
      await connect(stack, stack.tenant.tenant_id, { mode: 'live' });
      const { status, text } = await get(await open(stack.tenant.secret_key_live));
      expect(status).to.equal(200);
      expect(text).not.to.match(/test mode/i);
    });
  });
