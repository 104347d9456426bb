import express, { type Request, type Response } from 'express';
import { invalid } from '../../domain/shared/problems.ts';
import type { ImageBody } from './route.ts';

/** Throws 422 for a type it may not have, 413 for its size. */
export async function readImage(
  request: Request,
  response: Response,
  { types, maxBytes, field }: ImageBody,
): Promise<Buffer> {
  if (!request.is([...types]))
    throw invalid({ [field]: `must be sent with a Content-Type of ${types.join(', ')}` });
  const parse = express.raw({ type: () => true, limit: maxBytes, inflate: false });
  await new Promise<void>((resolve, reject) =>
    parse(request, response, (error?: unknown) => (error ? reject(error) : resolve())),
  );
  // Nothing was sent: the parser leaves no Buffer.
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
