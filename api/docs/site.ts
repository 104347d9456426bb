import type { Context } from '../../config/context.ts';
import { rateLimits } from '../../config/limits/rate-limits.ts';
import { statusOf } from '../../domain/shared/problems.ts';
import { payloads } from '../events/schemas.ts';
import type { Route } from '../http/route.ts';
import { openApiOf } from '../openapi/document.ts';
import { meanings } from '../openapi/refusals.ts';
import { retryLimit, retryWaits } from '../openapi/retry-words.ts';
import { checkoutShown } from './checkout.ts';
import { readReceivers } from './receivers.ts';
import { type Chapter, chaptersOf } from './reference.ts';
import { languages } from './samples.ts';

export interface View {
  template: 'start' | 'webhooks' | 'checkout' | 'chapter' | 'missing';
  title: string;
  shown: object;
}

/** Views by path below `/docs`, made of the routes: a new endpoint appears by itself. */
export function viewsOf(
  { env }: Pick<Context, 'env'>,
  routes: readonly Route[],
): Map<string, View> {
  const document = openApiOf(routes, env.publicUrl);
  const chapters = chaptersOf(document);
  const site = {
    root: `${env.basePath}/docs`,
    dashboard: `${env.basePath}/dashboard/sign-in`,
    api: `${env.publicUrl}/v1`,
    origin: env.publicUrl,
    chapters,
  };
  const views: [path: string, view: View][] = [
    [
      '/',
      {
        template: 'start',
        title: 'Getting started',
        shown: { languages, ...startOf(chapters), schemes: document.components.securitySchemes },
      },
    ],
    ['/webhooks', webhooksView()],
    [
      '/checkout',
      {
        template: 'checkout',
        title: 'Checkout script',
        shown: checkoutShown(env.publicUrl, env.basePath),
      },
    ],
    ...chapters.map((chapter): [string, View] => [
      `/${chapter.name}`,
      { template: 'chapter', title: chapter.title, shown: { languages, chapter } },
    ]),
    ['missing', { template: 'missing', title: 'There is no such page', shown: {} }],
  ];
  return new Map(
    views.map(([path, view]) => [
      path,
      { ...view, shown: { ...site, here: path, title: view.title, ...view.shown } },
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

function webhooksView(): View {
  const receivers = readReceivers();
  return {
    template: 'webhooks',
    title: 'Webhooks',
    shown: {
      ...{ languages: receivers, receivers, events: Object.entries(payloads) },
      ...{ retryWaits, retryLimit },
    },
  };
}
