import { randomUUID } from 'node:crypto';
import type { ErrorRequestHandler, Response } from 'express';
import type { Context } from '../../config/context.ts';
import { isAllowed, type Permission } from '../../domain/accounts/roles.ts';
import type { ProblemCode } from '../../domain/shared/problems.ts';
import { logProblem } from '../http/reply.ts';
import { assetUrls } from './assets.ts';
import { badgeOf, endpointBadge, formatsFor, indented, sentence } from './format.ts';
import { linkedParts, pageOfFor } from './links.ts';
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
import { slotNames } from './slot-names.ts';

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
  const names = await slotNames(context, session);
  const html = render(view.template, {
    title: view.title,
    section: view.section,
    /** Where the switch of the mode leads. */
    afterSwitch: sectionPath(view.section),
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
    indented,
    endpointBadge,
    providerName: (slot: string) => names[slot] ?? sentence(slot),
    slots: Object.keys(names),
    ...formatsFor(session.timeZone),
    linkedParts,
    pageOf: pageOfFor(session.role),
    may: (permission: Permission) => isAllowed(session.role, permission),
    refused: undefined,
    /** Which fields the page marks as wrong: those it has not are told of above it. */
    marked: [],
    notice: undefined,
    ...shown,
  });
  response.set('Cache-Control', 'no-store').type('html').send(html);
}

const titles: Partial<Record<ProblemCode, string>> = {
  not_found: 'Not found',
  rate_limited: 'Too many requests',
  unavailable: 'Not available at the moment',
};

/** Tells a person of an error, and what to do where it passes. */
export function problemPage(context: Context): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const problem = logProblem(context, request, response, error);
    if (response.headersSent) return void response.destroy();
    const root = pathIn(context, '');
    const html = render('problem', {
      title: titles[problem.code] ?? 'That did not work',
      message: problem.message,
      isForm: request.method === 'POST',
      again: problem.headers['Retry-After'] && request.originalUrl,
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
