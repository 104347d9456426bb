import { eventTypes } from '../../../domain/webhooks/entities/event.ts';
import { defaultEventTypes } from '../../../domain/webhooks/event/publish.ts';
import { createApiKey } from '../../api-keys/create-api-key.ts';
import { listApiKeys } from '../../api-keys/list-api-keys.ts';
import { revokeApiKey } from '../../api-keys/revoke-api-key.ts';
import { updateApiKey } from '../../api-keys/update-api-key.ts';
import { createWebhookEndpoint } from '../../webhook-endpoints/create-webhook-endpoint.ts';
import { listWebhookEndpoints } from '../../webhook-endpoints/list-webhook-endpoints.ts';
import { koboOf } from '../amounts.ts';
import { filledFields, nextPage } from '../filters.ts';
import { linesOf } from '../form-values.ts';
import type { Form, FormValues, View } from '../request.ts';
import { boundsInWords } from './bounds-in-words.ts';

/** API keys and webhook endpoints of the mode. */
export const developersView: View = {
  path: '/developers',
  title: 'Developers',
  template: 'developers/developers',
  section: 'developers',
  permission: 'develop',
  async load({ call, context, query }) {
    const [keys, endpoints] = await Promise.all([
      call(listApiKeys, { query: { limit: '100', ...filledFields(query, ['cursor']) } }),
      call(listWebhookEndpoints, { query: { limit: '100' } }),
    ]);
    return {
      keys: keys.data,
      nextHref: nextPage('/developers', {}, keys.next_cursor),
      endpoints: endpoints.data,
      eventTypes,
      defaultEventTypes,
      boundsInWords,
      apiUrl: `${context.env.publicUrl}/v1`,
      docsUrl: `${context.env.basePath}/docs`,
    };
  },
};

/** The answer shows the key, once. */
export const createKeyForm: Form = {
  path: '/developers/keys',
  view: developersView,
  permission: 'develop',
  async submit({ call, values }) {
    const { kind, name } = values;
    const bounds = Object.entries(boundsIn(values)).filter(([, bound]) => bound !== null);
    const body = { kind, ...(name ? { name } : {}), ...Object.fromEntries(bounds) };
    return { shown: { createdKey: await call(createApiKey, { body }) } };
  },
};

export const changeKeyForm: Form = {
  path: '/developers/keys/:id',
  view: developersView,
  permission: 'develop',
  async submit({ call, params: { id = '' }, values }) {
    await call(updateApiKey, { params: { id }, body: boundsIn(values) });
    return { to: '/developers', notice: 'key_changed' };
  },
};

export const revokeKeyForm: Form = {
  path: '/developers/keys/:id/revoke',
  view: developersView,
  permission: 'develop',
  async submit({ call, params: { id = '' } }) {
    await call(revokeApiKey, { params: { id } });
    return { to: '/developers', notice: 'key_revoked' };
  },
};

/** The answer shows the signing secret, once. */
export const addEndpointForm: Form = {
  path: '/developers/endpoints',
  view: developersView,
  permission: 'develop',
  async submit({ call, values: { url, event_types: types } }) {
    const body = { url, event_types: types === undefined ? [] : [types].flat() };
    return { shown: { createdEndpoint: await call(createWebhookEndpoint, { body }) } };
  },
};

/** The bounds of a public key as typed; null where a field is empty. */
function boundsIn({ origins, min, max, description }: FormValues) {
  const allowed = linesOf(origins);
  return {
    allowed_origins: allowed.length > 0 ? allowed : null,
    min_amount_kobo: min ? koboOf('min_amount_kobo', min) : null,
    max_amount_kobo: max ? koboOf('max_amount_kobo', max) : null,
    description: description || null,
  };
}
