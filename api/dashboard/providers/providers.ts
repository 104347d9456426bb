import { providers } from '../../../domain/providers/registry.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { slots } from '../../../domain/shared/slot.ts';
import { checkConnection } from '../../connections/check-connection.ts';
import { createConnection } from '../../connections/create-connection.ts';
import { getConnection } from '../../connections/get-connection.ts';
import { listConnections } from '../../connections/list-connections.ts';
import { updateConnection } from '../../connections/update-connection.ts';
import type { CallRoute } from '../call-route.ts';
import { sentence } from '../format.ts';
import { calling, filled, showing } from '../forms.ts';
import { view } from '../request.ts';

type Connected = {
  id: string;
  adapter: string;
  provider: string;
  status: string;
  position: number;
};

export const providersView = view('providers', {
  async load({ call, context }) {
    const connections = await connectionsOf(call);
    const enabled = inOrder(connections);
    const connected = new Set(enabled.map(({ provider }) => provider));
    return {
      openBreakers: context.openBreakers(),
      csvHref: '/providers.csv',
      connections: [...enabled, ...connections.filter((one) => !enabled.includes(one))].map(
        (one) => ({
          ...{ ...one, fields: fieldsOf(one.adapter), place: enabled.indexOf(one) + 1 },
        }),
      ),
      lastPlace: enabled.length,
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
      asksForCode: true,
      hasSecrets: true,
      submit: calling(createConnection, 'provider_connected', ({ provider, ...credentials }) => ({
        provider,
        credentials,
      })),
    },
    {
      path: '/providers/:id',
      asksForCode: true,
      hasSecrets: true,
      submit: calling(updateConnection, 'provider_changed', (values) => {
        const credentials = filled(values, ...Object.keys(values));
        return Object.keys(credentials).length > 0 ? { credentials } : {};
      }),
    },
    {
      path: '/providers/:id/move',
      asksForCode: true,
      async submit({ call, params, values: { to } }) {
        const { id } = await call<Connected>(getConnection, { params });
        const order = inOrder(await connectionsOf(call));
        const moved = order.filter((one) => one.id !== id);
        const place = order.findIndex((one) => one.id === id) + (to === 'up' ? -1 : 1);
        moved.splice(Math.max(0, place), 0, ...order.filter((one) => one.id === id));
        for (const [n, one] of moved.entries())
          if (one.position !== n + 1)
            await call(updateConnection, { params: { id: one.id }, body: { position: n + 1 } });
        return { notice: 'provider_changed' };
      },
    },
    {
      path: '/providers/:id/disable',
      asksForCode: true,
      async ask({ call, params }) {
        const { adapter, provider, status } = await call(getConnection, { params });
        if (status === 'disabled')
          throw new Problem('invalid_state', 'This provider is disabled already.');
        return {
          title: `Disable ${sentence(adapter)}?`,
          facts: { Provider: sentence(adapter), 'Name in the API': provider },
          consequence:
            'No new payment goes through it, and approved refunds wait. What was begun is followed ' +
            'to its end. You can enable it again.',
        };
      },
      submit: calling(updateConnection, 'provider_changed', () => ({ status: 'disabled' })),
    },
    {
      path: '/providers/:id/enable',
      asksForCode: true,
      submit: calling(updateConnection, 'provider_changed', () => ({ status: 'enabled' })),
    },
    {
      path: '/providers/:id/check',
      asksForCode: true,
      submit: showing('checked', ['ok', 'message'], checkConnection),
    },
  ],
});

async function connectionsOf(call: CallRoute): Promise<Connected[]> {
  const { data } = await call(listConnections, { query: { limit: '100' } });
  return data;
}

/** Those that `auto` tries, the first first. */
function inOrder(connections: readonly Connected[]): Connected[] {
  return connections
    .filter(({ status }) => status === 'enabled')
    .sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));
}

function fieldsOf(adapter: string): { name: string; label: string; hint: string }[] {
  const fields = Object.hasOwn(providers, adapter) ? providers[adapter]!.credentialFields : {};
  return Object.entries(fields).map(([name, { description }]) => ({
    name,
    label: sentence(name),
    hint: description.replaceAll('`', ''),
  }));
}
