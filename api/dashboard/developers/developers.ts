import { defaultEventTypes } from '../../../domain/webhooks/event/publish.ts';
import { listApiKeys } from '../../api-keys/list-api-keys.ts';
import { payloads } from '../../events/schemas.ts';
import { createWebhookEndpoint } from '../../webhook-endpoints/create-webhook-endpoint.ts';
import { listWebhookEndpoints } from '../../webhook-endpoints/list-webhook-endpoints.ts';
import { showing } from '../forms.ts';
import { listed } from '../lists.ts';
import { view } from '../request.ts';
import { boundsInWords } from './bounds-in-words.ts';
import { keyForms } from './keys.ts';

export const developersView = view('developers', {
  async load(request) {
    const { call, context, now } = request;
    const [keys, endpoints] = await Promise.all([
      listed(request, listApiKeys, { also: { limit: '100' } }),
      call(listWebhookEndpoints, { query: { limit: '100' } }),
    ]);
    return {
      keys: keys.rows.map((key: ShownKey) => ({ ...key, hasEnded: isPast(key.expires_at, now) })),
      nextHref: keys.nextHref,
      previousHref: keys.previousHref,
      endpoints: endpoints.data,
      payloads,
      defaultEventTypes,
      boundsInWords,
      apiUrl: `${context.env.publicUrl}/v1`,
      docsUrl: `${context.env.basePath}/docs`,
    };
  },
  forms: [
    ...keyForms,
    {
      path: '/developers/endpoints',
      submit: showing('createdEndpoint', ['secret'], createWebhookEndpoint, (values) => ({
        url: values.url,
        event_types: [values.event_types ?? []].flat(),
      })),
    },
  ],
});

type ShownKey = { expires_at: string | null };

function isPast(time: string | null, now: Date): boolean {
  return time !== null && Date.parse(time) <= now.getTime();
}
