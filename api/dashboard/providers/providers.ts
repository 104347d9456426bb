import { providers } from '../../../domain/providers/registry.ts';
import { slots } from '../../../domain/shared/slot.ts';
import { checkConnection } from '../../connections/check-connection.ts';
import { createConnection } from '../../connections/create-connection.ts';
import { listConnections } from '../../connections/list-connections.ts';
import { updateConnection } from '../../connections/update-connection.ts';
import { sentence } from '../format.ts';
import { calling, filled, showing } from '../forms.ts';
import { view } from '../request.ts';

type Connected = { adapter: string; provider: string; status: string };

export const providersView = view('providers', {
  async load({ call, context }) {
    const page = await call<{ data: Connected[] }>(listConnections, { query: { limit: '100' } });
    const enabled = page.data.filter(({ status }) => status === 'enabled');
    const connected = new Set(enabled.map(({ provider }) => provider));
    return {
      openBreakers: context.openBreakers(),
      connections: page.data.map((one) => ({ ...one, fields: fieldsOf(one.adapter) })),
      free: slots.flatMap((slot) => {
        const adapter = context.env.slots[slot];
        return adapter && !connected.has(slot)
          ? [{ slot, adapter, fields: fieldsOf(adapter) }]
          : [];
      }),
    };
  },
  forms: [
    {
      path: '/providers',
      isConfirmed: true,
      submit: calling(createConnection, 'provider_connected', ({ provider, ...credentials }) => ({
        provider,
        credentials,
      })),
    },
    {
      path: '/providers/:id',
      isConfirmed: true,
      submit: calling(updateConnection, 'provider_changed', (values) => {
        const { status, position, ...typed } = values;
        const credentials = filled(typed, ...Object.keys(typed));
        return {
          ...filled(values, 'status'),
          ...(position ? { position: Number(position) } : {}),
          ...(Object.keys(credentials).length > 0 ? { credentials } : {}),
        };
      }),
    },
    {
      path: '/providers/:id/check',
      isConfirmed: true,
      submit: showing('checked', ['ok', 'message'], checkConnection),
    },
  ],
});

function fieldsOf(adapter: string): { name: string; label: string; hint: string }[] {
  const fields = Object.hasOwn(providers, adapter) ? providers[adapter]!.credentialFields : {};
  return Object.entries(fields).map(([name, { description }]) => ({
    name,
    label: sentence(name),
    hint: description.replaceAll('`', ''),
  }));
}
