import type { Request, Response } from 'express';
import type { Context } from '../../../config/context.ts';
import { logProblem } from '../../http/reply.ts';
import { assetUrls } from '../assets.ts';
import { render } from '../render.ts';

/** What every step of a sign-in needs. */
export interface SignIn {
  context: Context;
  /** The path of the dashboard. */
  root: string;
}

export type Handler = (site: SignIn, request: Request, response: Response) => Promise<void>;

/** The words of a refusal a person can act on. Anything else is for the error view. */
export function refusal(
  { context }: SignIn,
  error: unknown,
  request: Request,
  response: Response,
): string {
  const problem = logProblem(context, request, response, error);
  response.status(problem.status).set(problem.headers);
  return problem.message;
}

export function send({ root }: SignIn, response: Response, template: string, shown: object): void {
  const html = render(`sign-in/${template}`, {
    root,
    assets: assetUrls(root),
    message: undefined,
    email: '',
    ...shown,
  });
  response.set('Cache-Control', 'no-store').type('html').send(html);
}

export function go({ root }: SignIn, response: Response, path: string): void {
  response.set('Cache-Control', 'no-store').redirect(303, root + path);
}
