import { eventTypes } from '../../../domain/webhooks/entities/event.ts';
import { listDeliveries } from '../../deliveries/list-deliveries.ts';
import { resendDelivery } from '../../deliveries/resend-delivery.ts';
import { deleteWebhookEndpoint } from '../../webhook-endpoints/delete-webhook-endpoint.ts';
import { getWebhookEndpoint } from '../../webhook-endpoints/get-webhook-endpoint.ts';
import { resendToWebhookEndpoint } from '../../webhook-endpoints/resend-to-webhook-endpoint.ts';
import { rotateWebhookEndpointSecret } from '../../webhook-endpoints/rotate-webhook-endpoint-secret.ts';
import { testWebhookEndpoint } from '../../webhook-endpoints/test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from '../../webhook-endpoints/update-webhook-endpoint.ts';
import { filledFields, nextPage } from '../filters.ts';
import type { DashboardRequest, Form, View } from '../request.ts';

/** One endpoint: its settings, its tests and its deliveries. */
export const endpointView: View = {
  path: '/developers/endpoints/:id',
  title: 'Webhook endpoint',
  template: 'developers/endpoint',
  section: 'developers',
  permission: 'develop',
  async load({ call, params: { id = '' }, query }) {
    const endpoint = await call(getWebhookEndpoint, { params: { id } });
    const filter = filledFields(query, ['status']);
    const page = await call(listDeliveries, {
      query: { ...filledFields(query, ['status', 'cursor']), endpoint: id },
    });
    return {
      endpoint,
      eventTypes,
      filter,
      cursor: query.cursor,
      deliveries: page.data,
      nextHref: nextPage(`/developers/endpoints/${id}`, filter, page.next_cursor),
    };
  },
};

const form = (
  path: string,
  submit: (
    request: DashboardRequest & { values: Record<string, string | string[]> },
  ) => ReturnType<Form['submit']>,
): Form => ({
  path: `/developers/endpoints/:id${path}`,
  view: endpointView,
  permission: 'develop',
  submit,
});

const idOf = ({ params: { id = '' } }: DashboardRequest) => ({ id });
const pathOf = (request: DashboardRequest) => `/developers/endpoints/${idOf(request).id}`;

/** Sends a signed test and shows what the endpoint answered. */
export const testEndpointForm = form('/test', async (request) => ({
  shown: { tested: await request.call(testWebhookEndpoint, { params: idOf(request) }) },
}));

/** The answer shows the new secret, once. */
export const rotateSecretForm = form('/rotate-secret', async (request) => ({
  shown: { rotated: await request.call(rotateWebhookEndpointSecret, { params: idOf(request) }) },
}));

export const changeEndpointForm = form('', async (request) => {
  // A form without a ticked box sends no event types; its hidden field says that it has boxes.
  const { url, event_types: types = [], has_event_types: hasTypes, status } = request.values;
  const body = {
    ...(url ? { url } : {}),
    ...(hasTypes ? { event_types: [types].flat() } : {}),
    ...(status ? { status } : {}),
  };
  await request.call(updateWebhookEndpoint, { params: idOf(request), body });
  return { to: pathOf(request), notice: 'endpoint_changed' };
});

export const deleteEndpointForm = form('/delete', async (request) => {
  await request.call(deleteWebhookEndpoint, { params: idOf(request) });
  return { to: '/developers', notice: 'endpoint_deleted' };
});

/** Sends again what did not arrive since a time; the rest is for the next time it is asked. */
export const resendMissedForm = form('/resend', async (request) => {
  const { since } = request.values;
  const body = { since };
  const resent = await request.call(resendToWebhookEndpoint, { params: idOf(request), body });
  return { shown: { resent } };
});

export const resendOneForm = form('/resend/:delivery', async (request) => {
  const id = request.params.delivery ?? '';
  await request.call(resendDelivery, { params: { id } });
  return { to: pathOf(request), notice: 'delivery_resent' };
});
