import type { Context } from '../../config/context.ts';
import { rateLimits } from '../../config/rate-limits.ts';
import { statusOf } from '../../domain/shared/problems.ts';
import { payloads } from '../events/schemas.ts';
import type { Route } from '../http/route.ts';
import { openApiOf } from '../openapi/document.ts';
import { meanings } from '../openapi/refusals.ts';
import { readReceivers } from './receivers.ts';
import { type Chapter, chaptersOf } from './reference.ts';
import { languages } from './samples.ts';

/** A page: its template and what that shows. */
export interface Page {
  template: 'start' | 'webhooks' | 'chapter' | 'missing';
  title: string;
  shown: object;
}

/** Every page of the reference by its path below `/docs`, made of the same table as the API itself: a new endpoint appears by itself. */
export function pagesOf(
  { env }: Pick<Context, 'env'>,
  routes: readonly Route[],
): Map<string, Page> {
  const document = openApiOf(routes, env.publicUrl);
  const chapters = chaptersOf(document);
  const site = { root: `${env.basePath}/docs`, api: `${env.publicUrl}/v1`, chapters };
  const pages: [path: string, page: Page][] = [
    [
      '/',
      {
        template: 'start',
        title: 'Getting started',
        shown: { languages, ...startOf(chapters), schemes: document.components.securitySchemes },
      },
    ],
    ['/webhooks', webhooksPage()],
    ...chapters.map((chapter): [string, Page] => [
      `/${chapter.name}`,
      { template: 'chapter', title: chapter.title, shown: { languages, chapter } },
    ]),
    ['missing', { template: 'missing', title: 'There is no such page', shown: {} }],
  ];
  return new Map(
    pages.map(([path, page]) => [
      path,
      { ...page, shown: { ...site, here: path, title: page.title, ...page.shown } },
    ]),
  );
}

function startOf(chapters: readonly Chapter[]) {
  const create = chapters
    .flatMap(({ endpoints }) => endpoints)
    .find(({ id }) => id === 'createCharge');
  const errors = Object.entries(statusOf).map(([code, status]) => ({
    code,
    status,
    meaning: meanings[code as keyof typeof meanings],
  }));
  return {
    samples: create?.samples ?? [],
    answer: create?.answers[0]?.example ?? '',
    errors,
    limits: rateLimits,
  };
}

function webhooksPage(): Page {
  const receivers = readReceivers();
  return {
    template: 'webhooks',
    title: 'Webhooks',
    shown: { languages: receivers, receivers, events: Object.entries(payloads) },
  };
}
