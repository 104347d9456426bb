import { createApiKey } from '../../api-keys/create-api-key.ts';
import { getApiKey } from '../../api-keys/get-api-key.ts';
import { rotateApiKey } from '../../api-keys/rotate-api-key.ts';
import { koboOf } from '../amounts.ts';
import { filled, linesOf, showing } from '../forms.ts';
import { type FormValues, view } from '../request.ts';

export const newKeyView = view('developers', {
  path: '/developers/keys/new',
  title: 'Create a key',
  template: 'developers/new-key',
  load: async () => ({}),
  forms: [
    {
      path: '/developers/keys',
      submit: showing('createdKey', ['kind', 'key'], createApiKey, (values) => {
        const { kind } = values;
        const bounds = kind === 'public' ? Object.entries(boundsIn(values)) : [];
        const given = Object.fromEntries(bounds.filter(([, bound]) => bound !== null));
        return { kind, ...filled(values, 'name'), ...given };
      }),
    },
  ],
});

export const rotateKeyView = view('developers', {
  path: '/developers/keys/:id/rotate',
  title: 'Rotate a key',
  template: 'developers/rotate-key',
  load: async ({ call, params }) => ({ key: await call(getApiKey, { params }) }),
  forms: [
    {
      path: '/developers/keys/:id/rotate',
      submit: showing('createdKey', ['kind', 'key'], rotateApiKey, ({ overlap_hours: hours }) => ({
        overlap_hours: Number(hours),
      })),
    },
  ],
});

/** Null where a field is empty. */
export function boundsIn({ origins, min, max, description }: FormValues) {
  const allowed = linesOf(origins);
  return {
    allowed_origins: allowed.length > 0 ? allowed : null,
    min_amount_kobo: min ? koboOf('min_amount_kobo', min) : null,
    max_amount_kobo: max ? koboOf('max_amount_kobo', max) : null,
    description: description || null,
  };
}
