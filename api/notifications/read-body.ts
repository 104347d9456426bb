import { finished } from 'node:stream';
import type { Request, RequestHandler } from 'express';
import type { HeldBody } from '../../config/limits/unverified-bodies.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { tooManyUnverified } from '../http/unverified-body.ts';

/** Some kB; a settlement with all its lines may be large. */
const LIMIT_BYTES = 5 * 1024 * 1024;

/** Zeros in place of bytes that are not stored. */
const ZEROS = Buffer.alloc(LIMIT_BYTES);

/**
 * Refuses by headers alone, before the connection is looked up: the answer does not show whether it
 * exists. A few kB of gzip can hold megabytes.
 */
export const refuseUnread: RequestHandler = (request, _response, next) => {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    return next(new Problem('unsupported_media_type', 'Send the body as plain JSON in UTF-8.'));
  if (Number(request.headers['content-length'] ?? 0) <= LIMIT_BYTES) return next();
  // A client that still writes would not read the answer, so the body is read and discarded.
  finished(request.resume(), () => next(tooLong()));
};

/** Providers send from data centres: 5 MB in this time are 4 Mbit/s. */
const READ_WITHIN_MS = 10_000;

export interface Reading {
  /** False for an unknown connection. */
  keep: boolean;
  /** For what nobody has signed yet. */
  held: HeldBody;
  withinMs?: number;
}

/**
 * Returns zeros of the same length for an unknown connection, so that what follows takes as long. A
 * body that is too long is read to its end and refused. Throws 503 where too much is on its way,
 * and 408 for a slow sender; the rest is not read then.
 */
export async function readBody(
  request: Request,
  { keep, held, withinMs = READ_WITHIN_MS }: Reading,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => end(tooLate()), withinMs);
    const end = (problem?: Problem) => {
      clearTimeout(late);
      request.off('data', onChunk);
      if (problem) reject(problem);
      else resolve();
    };
    const onChunk = (chunk: Buffer) => {
      length += chunk.length;
      if (length > LIMIT_BYTES) chunks.length = 0;
      else if (!held.take(chunk.length)) end(tooManyUnverified());
      else if (keep) chunks.push(chunk);
    };
    request.on('data', onChunk);
    finished(request, (error) => end(error ? brokenOff() : undefined));
  });
  if (length > LIMIT_BYTES) throw tooLong();
  return keep ? Buffer.concat(chunks) : ZEROS.subarray(0, length);
}

function brokenOff(): Problem {
  return new Problem('validation_failed', 'The body did not arrive whole.', {
    status: 400,
    fields: {},
  });
}

function tooLate(): Problem {
  return new Problem('validation_failed', 'The request did not arrive in time.', {
    status: 408,
    fields: {},
    headers: { Connection: 'close' },
  });
}

export function isTooLate(error: unknown): boolean {
  return error instanceof Problem && error.status === 408;
}

function tooLong(): Problem {
  return new Problem('payload_too_large', 'The body is larger than 5 MB.');
}
