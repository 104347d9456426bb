import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';
import { UNREADABLE } from './logo-image.ts';

// A program of its own: reads a picture from its input and writes a logo to its output.

/** Small beside the 50 kB that a payer's page may have in all. */
const MAX_LOGO_BYTES = 20_000;
/** The largest of these sides whose picture is small enough. */
const SIDES_PX = [512, 256, 128] as const;
/** Decoded it takes 134 MB at most. One long side alone would take more while it is scaled. */
const MAX_SIDE_PX = 4_096;
/** The largest picture that is taken costs 0.7 s. */
const MAX_CPU_MS = 4_000;
const CPU_LOOKED_AT_MS = 100;

// The picture is read in other threads, so this one finds the time to look.
setInterval(() => {
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1_000 > MAX_CPU_MS) process.kill(process.pid, 'SIGKILL');
}, CPU_LOOKED_AT_MS).unref();
sharp.cache(false);
sharp.concurrency(1);
// Nothing but these three can be read, whatever is in the bytes.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
});

const upload = await buffer(process.stdin);
const png = await draw(upload).catch(() => undefined);
if (png) process.stdout.write(png);
else process.exitCode = UNREADABLE;

async function draw(upload: Buffer): Promise<Buffer | undefined> {
  const picture = sharp(upload, { limitInputPixels: MAX_SIDE_PX ** 2, failOn: 'error' });
  const { width, height } = await picture.metadata();
  if (Math.max(width, height) > MAX_SIDE_PX) return undefined;
  const [largest] = SIDES_PX;
  const { data, info } = await fitted(picture.autoOrient(), largest)
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (const side of SIDES_PX) {
    const { width, height, channels } = info;
    const png = await fitted(sharp(data, { raw: { width, height, channels } }), side)
      .png({ palette: true, effort: 2, compressionLevel: 9 })
      .toBuffer();
    if (png.length <= MAX_LOGO_BYTES || side === SIDES_PX.at(-1)) return png;
  }
  return undefined;
}

function fitted(picture: Sharp, side: number): Sharp {
  return picture.resize({ width: side, height: side, fit: 'inside' });
}
