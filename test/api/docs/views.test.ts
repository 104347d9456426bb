import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { routes } from '../../../api/routes.ts';
import { statusOf } from '../../../domain/shared/problems.ts';
import { eventTypes } from '../../../domain/webhooks/entities/event.ts';
import { unescaped } from '../../support/html.ts';
import { openApi } from '../../support/openapi.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { useStack } from '../../support/stack.ts';

const pages = [
  '/docs',
  ...[
    'quickstart',
    'webhooks',
    'statuses',
    'example-shop',
    'assistants',
    'going-live',
    'changes',
  ].map((guide) => `/docs/${guide}`),
  ...Object.keys(statusOf).map((code) => `/docs/errors/${code}`),
  ...openApi.tags.filter(({ name }) => name !== 'webhooks').map(({ name }) => `/docs/${name}`),
];

describe('The API reference', () => {
  const stack = useStack({ workers: false });

  const get = (path: string) => rawRequest(stack, { path });
  const read = async (path: string) => (await get(path)).text;

  it('has a page for each tag, and no script runs in it', async () => {
    for (const path of pages) {
      const { status, headers, text } = await rawRequest(stack, { path });
      const html = 'text/html; charset=utf-8';
      expect([status, headers.get('content-type')], path).to.deep.equal([200, html]);
      const policy = headers.get('content-security-policy')!;
      expect(policy)
        .to.include("default-src 'none'")
        .and.include("style-src 'self'")
        .and.include("frame-ancestors 'none'");
      expect(policy).not.to.match(/unsafe|script-src|\*|https?:/);
      expect(text).not.to.match(/<script|<style| style=| on\w+="|javascript:/);
      expect(headers.get('cache-control')).to.equal('public, max-age=300');
      expect(headers.get('request-id')).to.match(/^req_/);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(text)
        .to.match(/^<!doctype html>\s*<html lang="en">/)
        .and.not.match(/undefined|\[object|NaN|&amp;(lt|gt|quot);/);
    }
  });

  it('states the retry schedule of webhooks, as the OpenAPI document does', async () => {
    const waits = '1 minute, 5 minutes, 30 minutes, 2 hours, 6 hours and 12 hours';
    expect(await read('/docs/webhooks'))
      .to.include(`sent again after ${waits}, each counted`)
      .and.include('never later than 24 hours after the first try');
    expect(JSON.stringify(openApi['x-webhooks'])).to.include(`sent again after ${waits}.`);
  });

  it('lists every endpoint on every page, and describes it on the page of its tag', async () => {
    for (const page of pages) {
      const text = await read(page);
      for (const { path } of routes)
        expect(text.replaceAll('<wbr>', ''), page).to.include(
          `>${path.replace(/:(\w+)/g, '{$1}')}</span>`,
        );
    }
    for (const route of routes) {
      const text = unescaped(await read(`/docs/${route.path.split('/')[1]}`));
      const { operationId, description, responses } =
        openApi.paths[route.path.replace(/:(\w+)/g, '{$1}')]![route.method]!;
      const section = text.slice(text.indexOf(`id="${operationId}"`)).split('<section')[0]!;
      expect(section).to.include(route.summary).and.include(description);
      for (const name of Object.keys({
        ...(route.body?.properties as object),
        ...(route.query?.properties as object),
      })) {
        expect(section, operationId).to.include(`<code>${name}</code>`);
      }
      for (const status of Object.keys(responses)) expect(section, operationId).to.include(status);
      expect(section.match(/class="sample /g), operationId).to.have.length(4);
      expect(section.includes('<code>Idempotency-Key</code>')).to.equal(route.idempotent === true);
    }
  });

  it('states the limits of every field', async () => {
    const text = unescaped(await read('/docs/charges')).replaceAll(/<[^>]+>/g, ' ');
    for (const limit of [
      ...['10,000 to 100,000,000,000', '1 to 254 characters', 'an e-mail address'],
      ...['at most 50 entries', 'auto | provider_a', '1 to 120 characters'],
    ])
      expect(text.replaceAll(/\s+/g, ' ')).to.include(limit);
  });

  it('explains every field of every object', async () => {
    const text = unescaped(await read('/docs/charges'));
    for (const title of ['Checkout', 'Transaction', 'Customer', 'TimelineEntry']) {
      const section = text.slice(text.indexOf(`id="object-${title}"`)).split('<section')[0]!;
      for (const name of Object.keys(openApi.components.schemas[title]!.properties as object))
        expect(section, title).to.include(`<code>${name}</code>`);
    }
  });

  it('begins with addresses, where its examples read their credentials, every error and limits', async () => {
    const text = unescaped(await read('/docs'));
    for (const name of ['SVC_SECRET_KEY', 'SVC_USER_TOKEN'])
      expect(text).to.include(`from <code>${name}</code>`);
    expect(text)
      .to.include(`${stack.context.env.publicUrl}/v1</code>`)
      .and.include('300 requests a minute')
      .and.include('600 per sign-in');
    for (const [code, status] of Object.entries(statusOf))
      expect(text)
        .to.include(`<td>${status}</td><td><a href="/docs/errors/${code}">`)
        .and.include(`<code>${code}</code>`);
  });

  it('states which lists differ from the others', async () => {
    const [, section] = /<section id="lists">(.*?)<\/section>/s.exec(
      unescaped(await read('/docs')),
    )!;
    for (const odd of routes.filter(({ summary }) => summary.includes('oldest first'))) {
      const named = odd.path === '/events' ? 'GET /v1/events' : odd.path.split('/').at(-1);
      expect(section).to.include(named);
    }
  });

  it('describes every event', async () => {
    const text = await read('/docs/webhooks');
    for (const type of eventTypes) expect(text).to.include(`<code>${type}</code>`);
  });

  it('has no broken link', async () => {
    const texts = new Map<string, string>();
    const reach = async (path: string, from: string) => {
      if (texts.has(path)) return texts.get(path)!;
      const { status, text } = await rawRequest(stack, { path });
      expect(status, `${from} → ${path}`).to.equal(200);
      texts.set(path, text);
      return text;
    };
    for (const page of pages) {
      for (const [, href] of (await reach(page, 'the start')).matchAll(/(?:href|src)="([^"]+)"/g)) {
        const target = new URL(unescaped(href!), `${stack.origin}${page}`);
        if (target.origin !== stack.origin) continue;
        const text = await reach(target.pathname, page);
        if (target.hash)
          expect(text, `${page} → ${href}`).to.include(`id="${target.hash.slice(1)}"`);
      }
    }
    expect(texts.size).to.be.greaterThan(pages.length + 3);
  });

  it('names, in the chapter about the checkout script, the address of this version with the hash of what is served there', async () => {
    const text = unescaped((await get('/docs/checkout')).text);
    const [, path, integrity] =
      /id="pinned"><code><script src="[^"]*(\/v1\/checkout-\w+\.js)"\s+integrity="([^"]+)"/.exec(
        text,
      )!;
    const served = await get(path!);
    const hash = createHash('sha384').update(served.text).digest('base64');
    expect(integrity).to.equal(`sha384-${hash}`);
    expect(text).to.include(`src="${path}" integrity="${integrity}"`);
  });

  it('shows there the types, and runs scripts of this service alone', async () => {
    const { text, headers } = await get('/docs/checkout');
    expect(unescaped(text)).to.include((await get('/v1/checkout.d.ts')).text);
    const policy = headers.get('content-security-policy')!;
    expect(policy)
      .to.include("default-src 'none'")
      .and.include("script-src 'self'")
      .and.include("connect-src 'self'")
      .and.include("form-action 'self'")
      .and.include("frame-ancestors 'none'");
    expect(policy).not.to.match(/unsafe|\*|https?:/);
    expect(text).not.to.match(/<style| style=| on\w+="|javascript:|<script>/);
    expect(headers.get('cross-origin-opener-policy')).to.equal('same-origin-allow-popups');
    expect((await get('/docs')).headers.get('cross-origin-opener-policy')).to.equal('same-origin');
  });

  it('says of every error why it is met, what to do, and whether to send it again', async () => {
    for (const [code, status] of Object.entries(statusOf)) {
      const text = await read(`/docs/errors/${code}`);
      expect(text, code).to.include(`<h1><code>${code}</code></h1>`).and.include(`is ${status}.`);
      expect(text.match(/<tr><td>/g), code).to.have.length.of.at.least(1);
      expect(text, code).to.match(/sent again\?<\/h2>\s*<p>\w+/);
    }
  });

  it('is Markdown, too, whose links lead to Markdown, and is listed for those who read by machine', async () => {
    const { text: list, headers } = await get('/llms.txt');
    expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    const { publicUrl } = stack.context.env;
    for (const page of pages) {
      const address = `${page === '/docs' ? '/docs/index' : page}.md`;
      expect(list).to.include(`(${publicUrl}${address}): `);
      const { status, text, headers: own } = await get(address);
      expect([status, own.get('content-type')]).to.deep.equal([
        200,
        'text/markdown; charset=utf-8',
      ]);
      expect(text.replace(/^```.*?^```$/gms, ''), page)
        .to.match(/^# \S/)
        .and.not.match(/<\/\w|\]\(\/docs/);
    }
    const start = (await get('/docs/index.md')).text;
    expect(start)
      .to.include(`[Versions and changes](${publicUrl}/docs/changes.md)`)
      .and.include('| 401 | [`unauthorized`]')
      .and.include('```\ncurl -X POST');
  });

  it('finds sections by words, by their beginnings, and by words that are misspelt', async () => {
    const search = (text: string) => read(`/docs/search?q=${encodeURIComponent(text)}`);
    for (const [text, path] of [
      ['partial refund', '/docs/statuses#partial-refunds'],
      ['idempotncy key', '/docs#idempotency'],
      ['unauth', '/docs/errors/unauthorized#causes'],
      ['Service-Signature', '/docs/webhooks#signature'],
    ])
      expect(await search(text!), text).to.include(`<a href="${path}">`);
    expect(await search('xyzzy')).to.include('Nothing was found for “xyzzy”');
    const tenOthers = Array.from({ length: 10 }, (_, n) => `xyzzy${n}`).join(' ');
    expect(await search(`${tenOthers} refund`), 'the cost has a limit').to.include('Nothing was');
    for (const odd of ['', ' ', '<script>', '&q=b', 'a'.repeat(5_000), '\0', '*', '"'])
      expect(await search(odd), odd)
        .to.include('<h1>Search</h1>')
        .and.not.include('<script>');
  });

  it('answers an unknown address with 404 and a page with the contents', async () => {
    for (const below of [
      'nothing',
      'charges/more',
      '__proto__',
      '%zz',
      'missing',
      'nothing.md',
      'errors/no',
    ]) {
      const { status, headers, text } = await get(`/docs/${below}`);
      expect(status, below).to.equal(404);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(text).to.include('href="/docs/charges"');
    }
    expect((await rawRequest(stack, { method: 'POST', path: '/docs' })).status).to.equal(404);
  });
});
