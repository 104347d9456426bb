import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Semaphore, withTimeout } from 'async-mutex';
import { invalid, Problem } from '../../domain/shared/problems.ts';

/** What a logo may be uploaded as, and how large. SVG is a program, so it is not among them. */
export const logoUpload = {
  types: ['image/png', 'image/jpeg', 'image/webp'],
  maxBytes: 200 * 1_024,
} as const;

const DRAWING = fileURLToPath(new URL('logo-process.ts', import.meta.url));
/** Far above the bound that `logo-process.ts` sets on its own use of a processor. */
const DRAW_WITHIN_MS = 25_000;
/** A drawing process takes up to 250 MB, so there is one at a time. */
const WAIT_MS = 20_000;
const MAX_WAITING = 10;
/** `logo-process.ts` returns some 20 kB. */
const MAX_DRAWN_BYTES = 1_048_576;
/** How `logo-process.ts` says that it cannot read the picture. */
export const UNREADABLE = 2;

const busy = new Problem('unavailable', 'Other pictures are being read. Try again shortly.', {
  headers: { 'Retry-After': '10' },
});
const slot = withTimeout(new Semaphore(1), WAIT_MS, busy);
const tenantsWaiting = new Set<string>();

/**
 * Draws an uploaded picture anew, as a PNG that payers can be sent: nothing that was hidden in the
 * upload is in it. Its kind is what its bytes say. A process of its own reads it, without our
 * environment, and is killed when it takes too long: a hostile picture costs this process nothing,
 * and only its own business waits for it longer than one picture takes. Throws 422 for the field
 * `logo`, and 503 while others are being read.
 */
export async function drawLogo(tenantId: string, upload: Buffer, withinMs = DRAW_WITHIN_MS) {
  if (!isPicture(upload)) throw unreadable();
  if (tenantsWaiting.has(tenantId) || tenantsWaiting.size >= MAX_WAITING) throw busy;
  tenantsWaiting.add(tenantId);
  try {
    return await slot.runExclusive(() => drawInProcess(upload, withinMs));
  } finally {
    tenantsWaiting.delete(tenantId);
  }
}

/** True for the first bytes of a PNG, a JPEG or a WebP. */
function isPicture(upload: Buffer): boolean {
  const start = upload.toString('latin1', 0, 12);
  return /^(\x89PNG\r\n\x1a\n|\xff\xd8\xff|RIFF.{4}WEBP)/s.test(start);
}

function drawInProcess(upload: Buffer, withinMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = {
      encoding: 'buffer' as const,
      env: {},
      timeout: withinMs,
      killSignal: 'SIGKILL' as const,
      maxBuffer: MAX_DRAWN_BYTES,
    };
    const args = ['--max-old-space-size=64', DRAWING];
    const child = execFile(process.execPath, args, options, (error, png) =>
      error ? reject(problemOf(error)) : resolve(png),
    );
    // A process that ended early says why by its code.
    child.stdin!.on('error', () => {}).end(upload);
    // Whoever waits for the answer keeps this process alive; a picture does not.
    child.unref();
    for (const stream of child.stdio) (stream as Socket | null)?.unref();
  });
}

/** What is wrong with the picture, or the error itself where something else failed. */
function problemOf(error: Error & { code?: unknown; signal?: unknown }): Error {
  // It killed itself, this process did, or the system for its memory.
  if (error.signal === 'SIGKILL') return invalid({ logo: TOO_MUCH });
  return error.signal || error.code === UNREADABLE ? unreadable() : error;
}

const TOO_MUCH = 'takes too long to read. Send a simpler picture';

function unreadable(): Problem {
  return invalid({
    logo:
      'must be a PNG, JPEG or WebP picture that is whole, of at most 4096 pixels in width and ' +
      'in height',
  });
}
