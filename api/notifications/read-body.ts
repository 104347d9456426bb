import { finished } from 'node:stream';
import type { Request, RequestHandler } from 'express';
import { Problem } from '../../domain/shared/problems.ts';

/** Providers send a few kB; a settlement with all its lines may be large. */
const LIMIT_BYTES = 5 * 1024 * 1024;

/** Zeros in place of bytes that are not stored. */
const ZEROS = Buffer.alloc(LIMIT_BYTES);

/**
 * Refuses a body that is too long or compressed, by its headers alone and before the connection is
 * looked up, so that the answer does not show whether the connection exists. A few kB of gzip can
 * hold megabytes; providers send plain JSON.
 */
export const refuseUnread: RequestHandler = (request, _response, next) => {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    return next(new Problem('unsupported_media_type', 'Send the body as plain JSON in UTF-8.'));
  if (Number(request.headers['content-length'] ?? 0) <= LIMIT_BYTES) return next();
  // A client that still writes would not read the answer, so the body is read and discarded.
  finished(request.resume(), () => next(tooLong()));
};

/**
 * Reads the body to its end. For an unknown connection it returns zeros of the same length, so that
 * what follows takes as long but nothing is kept. A body that turns out too long is read to its end
 * and refused.
 */
export async function readBody(request: Request, { keep }: { keep: boolean }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      length += (chunk as Buffer).length;
      if (length > LIMIT_BYTES) chunks.length = 0;
      else if (keep) chunks.push(chunk as Buffer);
    }
  } catch {
    // The client broke off, so nobody reads this answer.
    throw new Problem('validation_failed', 'The body did not arrive whole.', {
      status: 400,
      fields: {},
    });
  }
  if (length > LIMIT_BYTES) throw tooLong();
  return keep ? Buffer.concat(chunks) : ZEROS.subarray(0, length);
}

function tooLong(): Problem {
  return new Problem('payload_too_large', 'The body is larger than 5 MB.');
}
