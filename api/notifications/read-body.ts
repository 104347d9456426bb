import { finished } from 'node:stream';
import type { Request, RequestHandler } from 'express';
import { Problem } from '../../domain/shared/problems.ts';

/** Providers send a few kB; a settlement with all its lines may be large. */
const LIMIT_BYTES = 5 * 1024 * 1024;

/** What stands for bytes that are not kept. */
const ZEROS = Buffer.alloc(LIMIT_BYTES);

/**
 * Refuses what its headers alone say will not be read, before anybody is asked whose it is, so that
 * the answer tells nothing: a body too long, or a packed one. A few kB of gzip can hold megabytes;
 * providers send plain JSON.
 */
export const refuseUnread: RequestHandler = (request, _response, next) => {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    return next(new Problem('unsupported_media_type', 'Send the body as plain JSON in UTF-8.'));
  if (Number(request.headers['content-length'] ?? 0) <= LIMIT_BYTES) return next();
  // Whoever still writes would not read the answer: the body is let run out, unkept.
  finished(request.resume(), () => next(tooLong()));
};

/**
 * Reads the body to its end. A stranger's is not kept: as many zeros are returned as it had bytes,
 * so that whatever is done with it takes as long. One that turns out too long is refused, and let
 * run out too.
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
    // It broke off on the way: nobody is there to be told.
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
