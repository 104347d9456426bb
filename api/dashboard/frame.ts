import { randomUUID } from 'node:crypto';
import type { ErrorRequestHandler, Response } from 'express';
import type { Context } from '../../config/context.ts';
import { providersBySlot } from '../../domain/accounts/connection/connections.ts';
import { isAllowed, type Permission } from '../../domain/accounts/roles.ts';
import { logProblem } from '../http/reply.ts';
import { assetUrls } from './assets.ts';
import { badgeOf, endpointBadge, formatsFor, sentence } from './format.ts';
import { render } from './render.ts';
import {
  mayFor,
  type Section,
  type SignedIn,
  sectionPath,
  sections,
  type View,
} from './request.ts';
import { formField } from './session-cookie.ts';

export function lead(context: Context, response: Response, path: string): void {
  response.set('Cache-Control', 'no-store').redirect(303, pathIn(context, path));
}

export function pathIn({ env }: Context, path: string): string {
  return `${env.basePath}/dashboard${path}`;
}

export async function send(
  context: Context,
  response: Response,
  { token, session }: SignedIn,
  view: View,
  shown: object,
): Promise<void> {
  const root = pathIn(context, '');
  const providers = await providersBySlot(context.db, session);
  const html = render(view.template, {
    title: view.title,
    section: view.section,
    sections: (Object.keys(sections) as Section[])
      .filter((name) => name !== 'account' && mayFor(session.role, sections[name].permission))
      .map((name) => ({ name, title: sections[name].title, path: sectionPath(name) })),
    session,
    mode: session.mode,
    root,
    assets: assetUrls(root),
    csrf: formField(token, session.mode),
    idempotencyKey: randomUUID(),
    badgeOf,
    sentence,
    endpointBadge,
    providerName: (slot: string) => sentence(providers[slot] ?? slot),
    ...formatsFor(session.timeZone),
    may: (permission: Permission) => isAllowed(session.role, permission),
    refused: undefined,
    notice: undefined,
    ...shown,
  });
  response.set('Cache-Control', 'no-store').type('html').send(html);
}

export function onError(context: Context): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const problem = logProblem(context, request, response, error);
    if (response.headersSent) return void response.destroy();
    const root = pathIn(context, '');
    const html = render('problem', {
      title: problem.status === 404 ? 'Not found' : 'That did not work',
      message: problem.message,
      root,
      assets: assetUrls(root),
    });
    response
      .status(problem.status)
      .set({ 'Cache-Control': 'no-store', ...problem.headers })
      .type('html')
      .send(html);
  };
}
