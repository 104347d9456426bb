import { Problem } from '../../../domain/shared/problems.ts';
import { DAY_MS } from '../../../domain/shared/units.ts';
import { createApiKey } from '../../api-keys/create-api-key.ts';
import { getApiKey } from '../../api-keys/get-api-key.ts';
import { revokeApiKey } from '../../api-keys/revoke-api-key.ts';
import { rotateApiKey } from '../../api-keys/rotate-api-key.ts';
import { updateApiKey } from '../../api-keys/update-api-key.ts';
import { koboOf } from '../amounts.ts';
import { formatsFor, sentence } from '../format.ts';
import { calling, filled, linesOf, showing } from '../forms.ts';
import type { DashboardRequest, Form, FormValues } from '../request.ts';

export const keyForms: readonly Omit<Form, 'permission'>[] = [
  {
    path: '/developers/keys/new',
    ask: async () => ({
      title: 'Create a key',
      consequence: 'It works at once. A secret key is shown once, and never again.',
      template: 'developers/new-key',
    }),
    submit: showing('createdKey', ['kind', 'key'], createApiKey, (values) => {
      const { kind } = values;
      const bounds = kind === 'public' ? Object.entries(boundsIn(values)) : [];
      const given = Object.fromEntries(bounds.filter(([, bound]) => bound !== null));
      return { kind, ...filled(values, 'name'), ...given };
    }),
  },
  { path: '/developers/keys/:id', submit: calling(updateApiKey, 'key_changed', boundsIn) },
  {
    path: '/developers/keys/:id/rotate',
    async ask(request) {
      const { key, facts } = await askedAbout(request);
      if (key.expires_at)
        throw new Problem('invalid_state', 'This key was rotated before. Rotate its successor.');
      return {
        title: 'Rotate this key?',
        facts,
        consequence:
          'A new key takes its place. Both work until the time you choose, so that you can change ' +
          'your servers one after the other.',
        fields: [
          {
            name: 'overlap_hours',
            label: 'The old key works',
            value: '24',
            options: {
              0: 'No longer',
              1: 'For an hour',
              24: 'For a day',
              72: 'For three days',
              168: 'For a week',
            },
          },
        ],
      };
    },
    submit: showing('createdKey', ['kind', 'key'], rotateApiKey, ({ overlap_hours: hours }) => ({
      overlap_hours: Number(hours),
    })),
  },
  {
    path: '/developers/keys/:id/revoke',
    async ask(request) {
      const { key, facts } = await askedAbout(request);
      const name = key.name ?? key.last4;
      const isInUse = request.now.getTime() - Date.parse(key.last_used_at ?? 0) < LATELY_MS;
      return {
        title: 'Revoke this key?',
        facts,
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
];

/** A key that was used since then is taken to be in use. */
const LATELY_MS = 7 * DAY_MS;

/** What a change is about. Throws for a revoked key. */
async function askedAbout({ call, params, session }: DashboardRequest) {
  const key = await call(getApiKey, { params });
  if (key.revoked_at) throw new Problem('invalid_state', 'This key is revoked already.');
  const { time } = formatsFor(session.timeZone);
  const facts = {
    Key: `…${key.last4}`,
    ...(key.name && { Name: key.name }),
    Kind: sentence(key.kind),
    'Last used': key.last_used_at ? time(key.last_used_at) : 'Never',
  };
  return { key, facts };
}

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
