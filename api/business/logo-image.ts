import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Semaphore, withTimeout } from 'async-mutex';
import { invalid, Problem } from '../../domain/shared/problems.ts';

/** SVG is a program, so it is not among them. */
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
export const UNREADABLE = 2;

const busy = new Problem('unavailable', 'Other pictures are being read. Try again shortly.', {
  headers: { 'Retry-After': '10' },
});
const slot = withTimeout(new Semaphore(1), WAIT_MS, busy);
const tenantsWaiting = new Set<string>();

/**
 * Draws an upload anew as a PNG, in a process of its own without our environment, which is killed
 * when it takes too long: nothing hidden survives, and a hostile picture costs this process
 * nothing. Its kind is what its bytes say. Throws 422 for the field `logo`, and 503 while others
 * are being read.
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
