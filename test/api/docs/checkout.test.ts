import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { unescaped } from '../../support/html.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { useStack } from '../../support/stack.ts';

describe('The chapter about the checkout script', () => {
  const stack = useStack({ workers: false });

  const get = (path: string) => rawRequest(stack, { path });

  it('names the address of this version with the hash of what is served there', async () => {
    const text = unescaped((await get('/docs/checkout')).text);
    const [, path, integrity] =
      /id="pinned"><code><script src="[^"]*(\/v1\/checkout-\w+\.js)"\s+integrity="([^"]+)"/.exec(
        text,
      )!;
    const served = await get(path!);
    expect(integrity).to.equal(
      `sha384-${createHash('sha384').update(served.text).digest('base64')}`,
    );
    expect(text).to.include(`src="${path}" integrity="${integrity}"`);
  });

  it('shows the types, and runs scripts of this service alone', async () => {
    const { text, headers } = await get('/docs/checkout');
    expect(unescaped(text)).to.include((await get('/v1/checkout.d.ts')).text);
    const policy = headers.get('content-security-policy')!;
    expect(policy)
      .to.include("default-src 'none'")
      .and.include("script-src 'self'")
      .and.include("connect-src 'self'")
      .and.include("form-action 'none'")
      .and.include("frame-ancestors 'none'");
    expect(policy).not.to.match(/unsafe|\*|https?:/);
    expect(text).not.to.match(/<style| style=| on\w+="|javascript:|<script>/);
    expect(headers.get('cross-origin-opener-policy')).to.equal('same-origin-allow-popups');
    expect((await get('/docs')).headers.get('cross-origin-opener-policy')).to.equal('same-origin');
  });
});
