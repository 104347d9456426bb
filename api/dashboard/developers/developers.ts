import { eventTypes } from '../../../domain/webhooks/entities/event.ts';
import { defaultEventTypes } from '../../../domain/webhooks/event/publish.ts';
import { createApiKey } from '../../api-keys/create-api-key.ts';
import { listApiKeys } from '../../api-keys/list-api-keys.ts';
import { revokeApiKey } from '../../api-keys/revoke-api-key.ts';
import { updateApiKey } from '../../api-keys/update-api-key.ts';
import { createWebhookEndpoint } from '../../webhook-endpoints/create-webhook-endpoint.ts';
import { listWebhookEndpoints } from '../../webhook-endpoints/list-webhook-endpoints.ts';
import { koboOf } from '../amounts.ts';
import { calling, filled, linesOf, showing } from '../forms.ts';
import { listed } from '../lists.ts';
import { type FormValues, view } from '../request.ts';
import { boundsInWords } from './bounds-in-words.ts';

export const developersView = view('developers', {
  async load(request) {
    const { call, context } = request;
    const [keys, endpoints] = await Promise.all([
      listed(request, listApiKeys, { also: { limit: '100' } }),
      call(listWebhookEndpoints, { query: { limit: '100' } }),
    ]);
    return {
      keys: keys.rows,
      nextHref: keys.nextHref,
      endpoints: endpoints.data,
      eventTypes,
      defaultEventTypes,
      boundsInWords,
      apiUrl: `${context.env.publicUrl}/v1`,
      docsUrl: `${context.env.basePath}/docs`,
    };
  },
  forms: [
    {
      path: '/developers/keys',
      submit: showing('createdKey', ['kind', 'key'], createApiKey, (values) => {
        const bounds = Object.entries(boundsIn(values)).filter(([, bound]) => bound !== null);
        return { kind: values.kind, ...filled(values, 'name'), ...Object.fromEntries(bounds) };
      }),
    },
    { path: '/developers/keys/:id', submit: calling(updateApiKey, 'key_changed', boundsIn) },
    { path: '/developers/keys/:id/revoke', submit: calling(revokeApiKey, 'key_revoked') },
    {
      path: '/developers/endpoints',
      submit: showing('createdEndpoint', ['secret'], createWebhookEndpoint, (values) => ({
        url: values.url,
        event_types: [values.event_types ?? []].flat(),
      })),
    },
  ],
});

/** Null where a field is empty. */
function boundsIn({ origins, min, max, description }: FormValues) {
  const allowed = linesOf(origins);
  return {
    allowed_origins: allowed.length > 0 ? allowed : null,
    min_amount_kobo: min ? koboOf('min_amount_kobo', min) : null,
    max_amount_kobo: max ? koboOf('max_amount_kobo', max) : null,
    description: description || null,
  };
}
