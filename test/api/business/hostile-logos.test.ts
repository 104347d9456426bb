import { expect } from 'chai';
import sharp from 'sharp';
import { drawLogo } from '../../../api/business/logo-image.ts';
import type { Answer } from '../../support/api.ts';
import { type ApiProcess, startApiProcess } from '../../support/api-process.ts';
import { blankPng } from '../../support/blank-png.ts';
import { expectRefused } from '../../support/contract.ts';
import { memberOf } from '../../support/members.ts';
import { type TestTenant, useStack } from '../../support/stack.ts';

/** What an API may grow by, beside a picture that takes gigabytes where it is unpacked. */
const GROWTH_MB = 100;

const flat = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 4, background: { r: 9, g: 200, b: 90, alpha: 0.5 } },
  });
const svg = (inside: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:s-v="http://www.w3.org/2000/svg" width="512" height="512">${inside}</svg>`,
  );

describe('An API process that is sent hostile logos', () => {
  const stack = useStack({ workers: false });
  let running: ApiProcess;
  beforeEach(async () => {
    running = await startApiProcess(stack, ['--max-old-space-size=128']);
  });
  afterEach(() => running[Symbol.asyncDispose]());

  async function ownerOf(tenant: TestTenant): Promise<(picture: Buffer) => Promise<Answer>> {
    const { token } = await memberOf(stack, tenant, 'owner');
    const headers = { 'content-type': 'image/png' };
    return (raw) =>
      running.api.send('PUT', '/business/logo', undefined, { key: token, raw, headers });
  }

  async function expectRefusedCheaply(picture: Buffer): Promise<void> {
    const put = await ownerOf(await stack.newTenant());
    expectRefused(await put(Buffer.from('warm')), 'validation_failed', ['logo']);
    const beforeMb = await running.peakMb();
    expectRefused(await put(picture), 'validation_failed', ['logo']);
    expect((await running.peakMb()) - beforeMb).to.be.below(GROWTH_MB);
  }

  it('an SVG with pictures inside, as <s-v:image>, is refused and takes no memory', async () => {
    const href = `data:image/png;base64,${blankPng(8_000, 8_000).toString('base64')}`;
    const inside = `<s-v:image width="512" height="512" href="${href}"/>`.repeat(2);
    expect(svg(inside).length).to.be.below(200 * 1_024);
    await expectRefusedCheaply(svg(inside));
  });

  it('9 kB of feTurbulence are refused, the next logo is taken, and SIGTERM ends the process', async () => {
    const turbulence = '<feTurbulence baseFrequency="0.9" numOctaves="99999"/>';
    const picture = svg(`<filter id="f">${turbulence.repeat(160)}</filter>
      <rect width="512" height="512" filter="url(#f)"/>`);
    const put = await ownerOf(await stack.newTenant());
    const answers = [put(picture), (await ownerOf(await stack.newTenant()))(await mark())];
    expect((await Promise.all(answers)).map(({ status }) => status)).to.deep.equal([422, 200]);
    expect(await running.stop()).to.equal(0);
  });

  it('a PNG with a million pixels in each row is refused, and one of 900 million pixels', async () => {
    await expectRefusedCheaply(blankPng(1_000_000, 16));
    await expectRefusedCheaply(blankPng(30_000, 30_000, 1));
  });

  it('slow pictures of one business hold up none of another, and SIGTERM ends the process', async () => {
    const slow = await flat(3_800, 3_800)
      .toColourspace('rgb16')
      .png({ progressive: true, compressionLevel: 9 })
      .toBuffer();
    const [greedy, other] = await Promise.all([
      ownerOf(await stack.newTenant()),
      ownerOf(await stack.newTenant()),
    ]);
    const sent = Array.from({ length: 8 }, () => greedy(slow));
    const answer = await other(await mark());
    expect(answer.status).to.equal(200);
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length.within(1, 2);
    expect(new Set(statuses)).to.deep.equal(new Set([200, 503]));
    expect(await running.stop()).to.equal(0);
  });
});

describe('A logo that takes too long to read', () => {
  it('is refused, and its process is killed', async () => {
    const started = performance.now();
    const refused = await drawLogo('ten_1', await mark(), 1).catch((error) => error);
    expect(refused.fields).to.deep.equal({
      logo: 'takes too long to read. Send a simpler picture',
    });
    expect(performance.now() - started).to.be.below(5_000);
    expect((await drawLogo('ten_1', await mark())).length).to.be.greaterThan(0);
  });
});

const mark = () => flat(24, 24).png().toBuffer();
