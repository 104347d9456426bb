import { Problem } from '../../../domain/shared/problems.ts';
import { DAY_MS } from '../../../domain/shared/units.ts';
import { defaultEventTypes } from '../../../domain/webhooks/event/publish.ts';
import { getApiKey } from '../../api-keys/get-api-key.ts';
import { listApiKeys } from '../../api-keys/list-api-keys.ts';
import { revokeApiKey } from '../../api-keys/revoke-api-key.ts';
import { updateApiKey } from '../../api-keys/update-api-key.ts';
import { payloads } from '../../events/schemas.ts';
import { createWebhookEndpoint } from '../../webhook-endpoints/create-webhook-endpoint.ts';
import { listWebhookEndpoints } from '../../webhook-endpoints/list-webhook-endpoints.ts';
import { formatsFor, sentence } from '../format.ts';
import { calling, showing } from '../forms.ts';
import { listed } from '../lists.ts';
import { view } from '../request.ts';
import { boundsInWords } from './bounds-in-words.ts';
import { boundsIn } from './keys.ts';

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
    { path: '/developers/keys/:id', submit: calling(updateApiKey, 'key_changed', boundsIn) },
    {
      path: '/developers/keys/:id/revoke',
      async ask({ call, params, session, now }) {
        const key = await call(getApiKey, { params });
        const { time } = formatsFor(session.timeZone);
        const name = key.name ?? key.last4;
        const isInUse = now.getTime() - Date.parse(key.last_used_at ?? 0) < LATELY_MS;
        if (key.revoked_at) throw new Problem('invalid_state', 'This key is revoked already.');
        return {
          title: 'Revoke this key?',
          facts: {
            Key: `…${key.last4}`,
            ...(key.name && { Name: key.name }),
            Kind: sentence(key.kind),
            'Last used': time(key.last_used_at),
          },
          consequence: 'It is refused with the next request, and never works again.',
          fields: isInUse
            ? [
                {
                  name: 'typed',
                  label: key.name ? 'Name of the key' : 'Last characters of the key',
                  hint: `The key is in use. Type “${name}” to revoke it all the same.`,
                  mustBe: name,
                },
              ]
            : [],
        };
      },
      submit: calling(revokeApiKey, 'key_revoked'),
    },
    {
      path: '/developers/endpoints',
      submit: showing('createdEndpoint', ['secret'], createWebhookEndpoint, (values) => ({
        url: values.url,
        event_types: [values.event_types ?? []].flat(),
      })),
    },
  ],
});

/** A key that was used since then is taken to be in use. */
const LATELY_MS = 7 * DAY_MS;

type ShownKey = { expires_at: string | null };

function isPast(time: string | null, now: Date): boolean {
  return time !== null && Date.parse(time) <= now.getTime();
}
