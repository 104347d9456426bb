import { Semaphore, withTimeout } from 'async-mutex';
import sharp from 'sharp';
import { invalid, Problem } from '../../domain/shared/problems.ts';

/** What a logo may be uploaded as, and how large. */
export const logoUpload = {
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'],
  maxBytes: 200 * 1_024,
} as const;

/** Small beside the 50 kB that a payer's page may have in all. */
const MAX_LOGO_BYTES = 20_000;
/** The largest of these sides whose picture is small enough. */
const SIDES_PX = [512, 256, 128] as const;
/** Decoded they take 64 MB. */
const MAX_PIXELS = 4_096 * 4_096;

const busy = new Problem('unavailable', 'Other pictures are being read. Try again shortly.', {
  headers: { 'Retry-After': '10' },
});
/** Reading a hostile picture takes seconds of one core: one at a time leaves the rest. */
const oneAtATime = withTimeout(new Semaphore(1), 10_000, busy);

sharp.cache(false);
sharp.concurrency(1);

/**
 * Draws an uploaded picture anew, as a PNG that payers can be sent: nothing that was hidden in the
 * upload is in it. Its kind is what its bytes say. Throws 422 for the field `logo`.
 */
export function drawLogo(upload: Buffer): Promise<Buffer> {
  return oneAtATime.runExclusive(async () => {
    if (!(await isReadable(upload))) throw unreadable();
    for (const side of SIDES_PX) {
      const png = await draw(upload, side);
      if (png.length <= MAX_LOGO_BYTES || side === SIDES_PX.at(-1)) return png;
    }
    throw unreadable();
  });
}

async function isReadable(upload: Buffer): Promise<boolean> {
  if (upload.length === 0) return false;
  const { format } = await open(upload).metadata().catch(refuse);
  if (format === 'svg') return isHarmlessSvg(upload);
  return ['png', 'jpeg', 'webp'].includes(format);
}

/**
 * Neither compressed, nor with pictures or entities inside: these are read without a bound on their
 * pixels. Scripts and references to elsewhere are not, and are left out of what is drawn.
 */
function isHarmlessSvg(upload: Buffer): boolean {
  return !/^\x1f\x8b|<(\w+:)?(image|feImage)\b|<!ENTITY/i.test(upload.toString('latin1'));
}

function draw(upload: Buffer, side: number): Promise<Buffer> {
  return open(upload)
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside' })
    .png({ palette: true, effort: 2, compressionLevel: 9 })
    .toBuffer()
    .catch(refuse);
}

function open(upload: Buffer) {
  return sharp(upload, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
}

function refuse(): never {
  throw unreadable();
}

function unreadable(): Problem {
  return invalid({
    logo:
      'must be a PNG, JPEG, WebP or SVG picture that is whole, of at most 4096 × 4096 pixels; ' +
      'an SVG without pictures or entities inside',
  });
}
