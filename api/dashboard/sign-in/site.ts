import type { Request, Response } from 'express';
import type { Context } from '../../../config/context.ts';
import { logProblem } from '../../http/reply.ts';
import { assetUrls } from '../assets.ts';
import { lead, pathIn } from '../frame.ts';
import { render } from '../render.ts';

export type Visit = { context: Context; request: Request; response: Response };

/** Undefined: a person cannot act on it; the error view shows it. */
export function refusal({ context, request, response }: Visit, error: unknown): string {
  const problem = logProblem(context, request, response, error);
  response.status(problem.status).set(problem.headers);
  return problem.message;
}

export function send({ context, response }: Visit, template: string, shown: object): void {
  const root = pathIn(context, '');
  const nothing = { message: undefined, email: '' };
  const sendsMail = context.mail !== null;
  const data = { root, sendsMail, assets: assetUrls(root), ...nothing, ...shown };
  response
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(render(`sign-in/${template}`, data));
}

export function go({ context, response }: Visit, path: string): void {
  lead(context, response, path);
}
