import { providers } from '../../../domain/providers/registry.ts';
import { slots } from '../../../domain/shared/slot.ts';
import { checkConnection } from '../../connections/check-connection.ts';
import { createConnection } from '../../connections/create-connection.ts';
import { listConnections } from '../../connections/list-connections.ts';
import { updateConnection } from '../../connections/update-connection.ts';
import type { DashboardRequest, Form, FormValues, View } from '../request.ts';

/** The business's accounts at payment providers, in this mode. */
export const providersView: View = {
  path: '/providers',
  title: 'Providers',
  template: 'providers/providers',
  section: 'providers',
  permission: 'manage connections',
  async load({ call, context, refused }) {
    const page = await call(listConnections, { query: { limit: '100' } });
    const connected = new Set(
      page.data.flatMap((one: { provider: string; status: string }) =>
        one.status === 'enabled' ? [one.provider] : [],
      ),
    );
    const adapterOf = (slot: (typeof slots)[number]) => context.env.slots[slot];
    return {
      openBreakers: context.openBreakers(),
      connections: page.data.map((one: { adapter: string }) => ({
        ...one,
        fields: fieldsOf(one.adapter),
      })),
      free: slots.flatMap((slot) => {
        const adapter = adapterOf(slot);
        return adapter && !connected.has(slot)
          ? [{ slot, adapter, fields: fieldsOf(adapter) }]
          : [];
      }),
      refusedFields: refused?.fields ?? {},
    };
  },
};

/** What a person enters to connect a provider. */
function fieldsOf(adapter: string): { name: string; label: string; hint: string }[] {
  const fields = Object.hasOwn(providers, adapter) ? providers[adapter]!.credentialFields : {};
  return Object.entries(fields).map(([name, { description }]) => ({
    name,
    label: words(name),
    hint: description,
  }));
}

function words(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const form = (
  path: string,
  submit: (request: DashboardRequest & { values: FormValues }) => ReturnType<Form['submit']>,
): Form => ({
  path,
  view: providersView,
  permission: 'manage connections',
  isConfirmed: true,
  submit,
});

export const connectProviderForm = form('/providers', async ({ call, values }) => {
  const { provider, ...credentials } = values;
  await call(createConnection, { body: { provider, credentials } });
  return { to: '/providers', notice: 'provider_connected' };
});

export const changeProviderForm = form(
  '/providers/:id',
  async ({ call, params: { id = '' }, values }) => {
    const { status, position, ...typed } = values;
    const credentials = Object.fromEntries(Object.entries(typed).filter(([, value]) => value));
    const body = {
      ...(status ? { status } : {}),
      ...(position ? { position: Number(position) } : {}),
      ...(Object.keys(credentials).length > 0 ? { credentials } : {}),
    };
    await call(updateConnection, { params: { id }, body });
    return { to: '/providers', notice: 'provider_changed' };
  },
);

export const checkProviderForm = form(
  '/providers/:id/check',
  async ({ call, params: { id = '' } }) => ({
    shown: { checked: { id, ...(await call(checkConnection, { params: { id } })) } },
  }),
);
