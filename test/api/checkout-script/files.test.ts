import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';
import { createChargeBody } from '../../../api/charges/schemas.ts';
import {
  checkoutScript,
  declarations,
  scriptVersions,
} from '../../../api/checkout-script/script-files.ts';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { slots } from '../../../domain/shared/slot.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { useStack } from '../../support/stack.ts';

const { path, etag, integrity, text } = checkoutScript;

describe('GET /v1/checkout.js', () => {
  const stack = useStack({ workers: false });

  const get = (below: string, headers: Record<string, string> = {}) =>
    rawRequest(stack, { path: `/v1${below}`, headers });

  it('serves the script to pages of every origin, without a credential', async () => {
    for (const below of ['/checkout.js', path, '/checkout.d.ts']) {
      const { status, headers, text: sent } = await get(below, { origin: 'https://shop.example' });
      const [file, type] = below.endsWith('.d.ts') ? [declarations, 'plain'] : [text, 'javascript'];
      expect([status, sent], below).to.deep.equal([200, file]);
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('content-type')).to.equal(`text/${type}; charset=utf-8`);
    }
  });

  it('is checked by caches each time, and not sent again while it is the same', async () => {
    const { headers } = await get('/checkout.js');
    expect(headers.get('cache-control')).to.equal('public, max-age=0, must-revalidate');
    expect(headers.get('etag')).to.equal(etag);
    const again = await get('/checkout.js', { 'if-none-match': etag });
    expect([again.status, again.text]).to.deep.equal([304, '']);
    expect((await get('/checkout.js', { 'if-none-match': '"older"' })).status).to.equal(200);
  });

  it('has an address for its version, which is cached for ever, and none for another', async () => {
    const { headers } = await get(path);
    expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(path).to.equal(`/checkout-${sha256Of(text).slice(0, 16)}.js`);
    expect((await get('/checkout-0123456789abcdef.js')).status).to.equal(401);
    expect(integrity).to.equal(`sha384-${createHash('sha384').update(text).digest('base64')}`);
  });

  it('keeps the address of each earlier version, with its bytes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'earlier-'));
    await writeFile(join(folder, '1.0.0.js'), 'first');
    await writeFile(join(folder, 'README.md'), 'not a version');
    const versions = scriptVersions(pathToFileURL(`${folder}/`));
    await rm(folder, { recursive: true });
    expect(versions.map((version) => version.text)).to.deep.equal([text, 'first']);
    expect(versions[1]!.path).to.equal(`/checkout-${sha256Of('first').slice(0, 16)}.js`);
  });

  it('takes every field of a charge, and its types name each with every provider', () => {
    for (const field of Object.keys(createChargeBody.properties)) {
      expect(declarations).to.match(new RegExp(`^  ${field}\\??: `, 'm'));
      expect(text, field).to.include(`'${field}'`);
    }
    for (const slot of slots) expect(declarations).to.include(`'${slot}'`);
  });

  it('is small, and written in what browsers of 2019 read', () => {
    expect(Buffer.byteLength(text)).to.be.below(12_000);
    const writtenFor = (target: ts.ScriptTarget) => ts.transpile(text, { target });
    expect(writtenFor(ts.ScriptTarget.ES2019)).to.equal(writtenFor(ts.ScriptTarget.ESNext));
  });
});
