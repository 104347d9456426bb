import express, { type RequestHandler } from 'express';
import multer, { MulterError } from 'multer';
import { Problem } from '../../domain/shared/problems.ts';
import type { Form } from './request.ts';

export const parseForm = express.urlencoded({ extended: false, limit: '100kb' });

/** A file beyond this is not read to its end; a form says itself what it takes. */
const MAX_FILE_BYTES = 1_048_576;

/**
 * A file is kept in memory only. One that is too large is the handler's to refuse, so that the form
 * is shown again: `response.locals.refusedFile` says why.
 */
export function parserOf({
  file,
  maxFileBytes = MAX_FILE_BYTES,
}: Pick<Form, 'file' | 'maxFileBytes'>): RequestHandler {
  if (file === undefined) return parseForm;
  const limits = { fileSize: maxFileBytes, files: 1, fields: 10, fieldSize: 10_000, parts: 11 };
  const parseParts = multer({ storage: multer.memoryStorage(), limits }).single(file);
  return (request, response, next) =>
    parseParts(request, response, (error: unknown) => {
      const isTooLarge = error instanceof MulterError && error.code === 'LIMIT_FILE_SIZE';
      if (!isTooLarge) return next(error && problemOf(error));
      const message = `The file is larger than ${maxFileBytes / 1_048_576} MB.`;
      response.locals.refusedFile = new Problem('payload_too_large', message);
      next();
    });
}

function problemOf(error: unknown): unknown {
  return error instanceof MulterError || isMalformed(error)
    ? new Problem('validation_failed', 'The form could not be read. Load the page and try again.')
    : error;
}

/** The parser below multer throws plain errors for a body that is not what it says. */
function isMalformed(error: unknown): boolean {
  return /multipart|boundary|unexpected end of form|malformed/i.test((error as Error).message);
}
