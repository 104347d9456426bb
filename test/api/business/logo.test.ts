import { expect } from 'chai';
import sharp from 'sharp';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import type { Answer } from '../../support/api.ts';
import { auditOf } from '../../support/audit.ts';
import { blankPng } from '../../support/blank-png.ts';
import { expectContractHeaders, expectRefusal } from '../../support/contract.ts';
import { csrfOf, dashboardMember } from '../../support/dashboard.ts';
import { useMember } from '../../support/members.ts';
import { runTwice } from '../../support/run-twice.ts';
import { useStack } from '../../support/stack.ts';

const LIMIT = 200 * 1_024;
const svg = (inside: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">${inside}</svg>`);
const square = '<rect width="12" height="24" fill="#0a5"/>';
const mark = await sharp(svg(square)).png().toBuffer();
const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
const photo = () =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: '#fff', noise } });

describe('The logo of a business', () => {
  const stack = useStack({ workers: false, newTenants: true });
  const owner = useMember(stack, 'owner');

  const put = (raw: Buffer, type = 'image/png'): Promise<Answer> =>
    stack.api.send('PUT', '/business/logo', undefined, {
      ...{ key: owner.token, raw },
      headers: { 'content-type': type },
    });
  const remove = () => owner.api.remove('/business/logo');
  const read = async () => (await owner.api.get('/business')).json;
  const download = (url: string) => fetch(url);

  async function seen(url: string) {
    const bytes = Buffer.from(await (await download(url)).arrayBuffer());
    expect(url).to.match(new RegExp(`/logos/${sha256Of(bytes)}\\.png$`));
    return { bytes, picture: await sharp(bytes).metadata() };
  }

  async function expectRefused(raw: Buffer, type?: string): Promise<void> {
    await expectRefusal(stack, () => put(raw, type), 'validation_failed', ['logo']);
  }

  it('is set, read, replaced and removed, each in the audit log', async () => {
    const before = await read();
    expect(before.logo_url).to.equal(null);
    const [set] = await runTwice(stack, () => put(mark));
    expectContractHeaders(set, stack.tenant.tenant_id);
    expect(set.json).to.deep.equal({ ...before, logo_url: set.json.logo_url });
    expect(await read()).to.deep.equal(set.json);
    const replaced = await put(await photo().png().toBuffer());
    expect(replaced.json.logo_url).not.to.equal(set.json.logo_url);
    expect((await download(set.json.logo_url)).status).to.equal(404);
    const [removed] = await runTwice(stack, remove);
    expect(removed.json).to.deep.equal(before);
    const entries = await auditOf(stack, stack.tenant.tenant_id);
    expect(entries.map(({ actor, action }) => `${actor} ${action}`)).to.deep.equal(
      Array(3).fill(`${owner.memberId} business.logo_changed`),
    );
  });

  it('is served as a PNG that browsers keep, and that can run nothing', async () => {
    const { logo_url: url } = (await put(mark)).json;
    const { status, headers } = await download(url);
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'image/png']);
    expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    expect(headers.get('content-security-policy')).to.match(/^default-src 'none'; sandbox/);
    for (const name of [`${'0'.repeat(64)}.png`, 'logo.png', `${'0'.repeat(64)}`, '%00'])
      expect((await download(url.replace(/[^/]*$/, name))).status).to.equal(404);
  });

  it('is drawn anew from each kind of picture, small, and without what was hidden in it', async () => {
    const hidden = { exif: { IFD0: { Copyright: 'a secret place' } } };
    const kinds = {
      'image/png': photo().withMetadata(hidden).png(),
      'image/jpeg': photo().withMetadata(hidden).jpeg(),
      'image/webp': photo().withMetadata(hidden).webp(),
    };
    for (const [type, image] of Object.entries(kinds)) {
      const { json } = await put(await image.toBuffer(), type);
      const { bytes, picture } = await seen(json.logo_url);
      expect([picture.format, picture.exif]).to.deep.equal(['png', undefined]);
      expect(picture.width / picture.height).to.be.closeTo(1.5, 0.02);
      expect(bytes.length).to.be.below(20_000);
      expect(bytes.includes('secret')).to.equal(false);
    }
    const drawn = await seen((await put(mark)).json.logo_url);
    expect([drawn.picture.width, drawn.picture.height]).to.deep.equal([512, 512]);
  });

  it('is refused when it is no whole picture of a kind that is taken, whatever it claims to be', async () => {
    const png = await photo().png().toBuffer();
    const jpeg = await photo().jpeg().toBuffer();
    const wrong: [picture: Buffer | string, type?: string][] = [
      [png.subarray(0, png.length / 2)],
      [jpeg.subarray(0, jpeg.length / 2), 'image/jpeg'],
      ...([[await photo().gif().toBuffer()], [await photo().tiff().toBuffer()]] as [Buffer][]),
      ...([[svg(square)], [svg(square), 'image/svg+xml']] as [Buffer, string][]),
      [Buffer.concat([Buffer.from('RIFF....WEBP'), svg(square)]), 'image/webp'],
      ...([['<!doctype html><script>alert(1)</script>'], ['%PDF-1.7'], ['']] as [string][]),
      ...([
        [png, 'image/gif'],
        [png, 'text/html'],
        ['{}', 'application/json'],
      ] as [Buffer, string][]),
    ];
    for (const [picture, type] of wrong) await expectRefused(Buffer.from(picture), type);
  });

  it('is refused before a bomb is unpacked', async () => {
    for (const [width, height] of [
      [8_000, 8_000],
      [100_000, 100],
      [4_097, 1],
    ] as const)
      await expectRefused(blankPng(width, height));
    expect((await put(blankPng(4_096, 100))).status).to.equal(200);
  });

  it('may have 200 kB and no byte more', async () => {
    const padded = (bytes: number) => Buffer.concat([mark, Buffer.alloc(bytes - mark.length)]);
    expect((await put(padded(LIMIT))).status).to.equal(200);
    await expectRefusal(stack, () => put(padded(LIMIT + 1)), 'payload_too_large');
  });

  it('is saved, shown and removed in the dashboard, which says what is wrong with a picture', async () => {
    const member = await dashboardMember(stack, stack.tenant, 'owner');
    const upload = (picture?: Buffer, csrf = csrfOf(member)) => {
      const form = new FormData();
      form.set('csrf', csrf);
      if (picture) form.set('logo', new Blob([new Uint8Array(picture)]), 'logo.png');
      return member.upload('/business/logo', form);
    };
    await member.get('/business');
    expect((await upload(mark, 'wrong')).status).to.equal(403);
    for (const [picture, problem] of [
      [undefined, 'must be chosen first'],
      [Buffer.from('no picture'), 'must be a PNG'],
      [Buffer.alloc(LIMIT + 1), 'must be at most 200 kB'],
    ] as const) {
      const refused = await upload(picture);
      expect(refused.status).to.equal(422);
      expect(refused.html).to.include(`The picture ${problem}`);
    }
    expect((await upload(Buffer.alloc(2_000_000))).status).to.equal(413);
    expect((await read()).logo_url).to.equal(null);
    expect((await upload(mark)).status).to.equal(303);
    const { logo_url: url } = await read();
    expect((await member.get('/business')).html).to.include(`src="${new URL(url).pathname}"`);
    const removed = await member.submit('/business/logo/remove');
    expect([removed.status, (await read()).logo_url]).to.deep.equal([303, null]);
  });
});
