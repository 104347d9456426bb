import type { Context } from '../../config/context.ts';
import { rateLimits } from '../../config/limits/rate-limits.ts';
import { partitionedTables } from '../../domain/partitioned-tables.ts';
import { type ProblemCode, statusOf } from '../../domain/shared/problems.ts';
import { scenarios } from '../../domain/shared/test-scenarios.ts';
import { payloads } from '../events/schemas.ts';
import type { Route } from '../http/route.ts';
import { openApiOf } from '../openapi/document.ts';
import { meanings } from '../openapi/refusals.ts';
import { retryLimit, retryWaits } from '../openapi/retry-words.ts';
import { checkoutShown } from './checkout.ts';
import { GENERATOR_VERSION, generators } from './generators.ts';
import { helps } from './problems.ts';
import { type Chapter, chaptersOf } from './reference.ts';
import { languages } from './samples.ts';
import { readShops, type Shop, verificationOf } from './shops.ts';

export interface View {
  template: string;
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
  const shops = readShops(env.publicUrl);
  const guides: [path: string, view: View][] = [
    [
      '/',
      {
        template: 'start',
        title: 'Getting started',
        shown: { languages, ...startOf(chapters), schemes: document.components.securitySchemes },
      },
    ],
    ['/quickstart', { template: 'quickstart', title: 'Quickstart', shown: {} }],
    ['/webhooks', webhooksView(shops)],
    ['/statuses', { template: 'statuses', title: 'Statuses and amounts', shown: {} }],
    [
      '/checkout',
      {
        template: 'checkout',
        title: 'Checkout script',
        shown: checkoutShown(env.publicUrl, env.basePath),
      },
    ],
    ['/testing', testingView(`${env.publicUrl}/v1`)],
    [
      '/example-shop',
      { template: 'example-shop', title: 'Example shop', shown: { languages: shops, shops } },
    ],
    [
      '/assistants',
      {
        template: 'assistants',
        title: 'Assistants',
        shown: { configuration: configurationOf(env.publicUrl) },
      },
    ],
    ['/going-live', { template: 'going-live', title: 'Going live', shown: {} }],
    [
      '/changes',
      {
        template: 'changes',
        title: 'Versions and changes',
        shown: { version: document.info.version },
      },
    ],
  ];
  const site = {
    asked: '',
    guides: guides.map(([path, { title }]) => ({ path, title })),
    root: `${env.basePath}/docs`,
    dashboard: `${env.basePath}/dashboard/sign-in`,
    api: `${env.publicUrl}/v1`,
    origin: env.publicUrl,
    chapters,
  };
  const views: [path: string, view: View][] = [
    ...guides,
    ...chapters.map((chapter): [string, View] => [
      `/${chapter.name}`,
      { template: 'chapter', title: chapter.title, shown: { languages, chapter } },
    ]),
    ...errors.map((error): [string, View] => [
      `/errors/${error.code}`,
      {
        template: 'error',
        title: `Error ${error.code}`,
        shown: { ...error, ...helps[error.code] },
      },
    ]),
    ['search', { template: 'search', title: 'Search', shown: { hits: [] } }],
    ['missing', { template: 'missing', title: 'There is no such page', shown: {} }],
  ];
  return new Map(
    views.map(([path, view]) => [
      path,
      { ...view, shown: { ...site, here: path, title: view.title, ...view.shown } },
    ]),
  );
}

const errors = (Object.keys(statusOf) as ProblemCode[]).map((code) => ({
  code,
  status: statusOf[code],
  meaning: meanings[code],
}));

const keptDays = (name: string) => partitionedTables.find(({ table }) => table === name)!.keptDays;

const kept = {
  deliveries: keptDays('deliveries'),
  tries: keptDays('delivery_tries'),
  requests: keptDays('request_log'),
};

function startOf(chapters: readonly Chapter[]) {
  const create = chapters
    .flatMap(({ endpoints }) => endpoints)
    .find(({ id }) => id === 'createCharge');
  return {
    samples: create?.samples ?? [],
    answer: create?.answers[0]?.example ?? '',
    errors,
    generators,
    generatorVersion: GENERATOR_VERSION,
    limits: rateLimits,
    kept,
  };
}

/** What adds the MCP server to an assistant. */
function configurationOf(publicUrl: string): string {
  const payments = {
    command: 'npx',
    args: ['--yes', '--package', `${publicUrl}/clients/mcp.tgz`, 'payments-mcp'],
    env: { PAYMENTS_KEY: 'svc_sk_test_…' },
  };
  return JSON.stringify({ mcpServers: { payments } }, null, 2);
}

function testingView(api: string): View {
  const request = [
    `curl ${api}/charges \\`,
    '  -H "Authorization: Bearer $SVC_SECRET_KEY" \\',
    "  -H 'Content-Type: application/json' -H 'Test-Scenario: paid' \\",
    `  -d '{ "amount_kobo": 250000, "email": "ada@example.com" }'`,
  ].join('\n');
  const rows = Object.entries(scenarios).map(([name, scenario]) => ({ name, ...scenario }));
  return { template: 'testing', title: 'Testing', shown: { request, scenarios: rows } };
}

function webhooksView(shops: Shop[]): View {
  const samples = shops.map(verificationOf);
  return {
    template: 'webhooks',
    title: 'Webhooks',
    shown: {
      ...{ languages: samples, samples, events: Object.entries(payloads) },
      ...{ retryWaits, retryLimit },
    },
  };
}
