import { listDeliveries } from '../../deliveries/list-deliveries.ts';
import { resendDelivery } from '../../deliveries/resend-delivery.ts';
import { payloads } from '../../events/schemas.ts';
import { deleteWebhookEndpoint } from '../../webhook-endpoints/delete-webhook-endpoint.ts';
import { getWebhookEndpoint } from '../../webhook-endpoints/get-webhook-endpoint.ts';
import { resendToWebhookEndpoint } from '../../webhook-endpoints/resend-to-webhook-endpoint.ts';
import { rotateWebhookEndpointSecret } from '../../webhook-endpoints/rotate-webhook-endpoint-secret.ts';
import { testWebhookEndpoint } from '../../webhook-endpoints/test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from '../../webhook-endpoints/update-webhook-endpoint.ts';
import { calling, filled, showing } from '../forms.ts';
import { addressOf, listed } from '../lists.ts';
import { type DashboardRequest, type Question, view } from '../request.ts';

const path = '/developers/endpoints/:id';

export const endpointView = view('developers', {
  path,
  title: 'Webhook endpoint',
  template: 'developers/endpoint',
  async load(request) {
    const { call, params, query } = request;
    const endpoint = await call(getWebhookEndpoint, { params });
    const also = { endpoint: endpoint.id };
    const { rows, ...list } = await listed(request, listDeliveries, { filters: ['status'], also });
    const deliveriesHref = addressOf(`${request.path}/deliveries.csv`, list.filter);
    return { endpoint, payloads, cursor: query.cursor, deliveries: rows, deliveriesHref, ...list };
  },
  forms: [
    {
      path,
      submit: calling(updateWebhookEndpoint, 'endpoint_changed', (values) => ({
        ...filled(values, 'url'),
        // Without a ticked box no event type is sent; the hidden field says that there are boxes.
        ...(values.has_event_types ? { event_types: [values.event_types ?? []].flat() } : {}),
      })),
    },
    {
      path: `${path}/disable`,
      ask: (request) =>
        about(request, {
          title: 'Disable this endpoint?',
          consequence:
            'Nothing is sent to it until it is enabled. What it misses can be sent then.',
        }),
      submit: calling(updateWebhookEndpoint, 'endpoint_changed', () => ({ status: 'disabled' })),
    },
    {
      path: `${path}/enable`,
      submit: calling(updateWebhookEndpoint, 'endpoint_changed', () => ({ status: 'enabled' })),
    },
    {
      path: `${path}/delete`,
      ask: (request) =>
        about(request, {
          title: 'Delete this endpoint?',
          consequence:
            'Nothing is sent to it any more, and what waits is cancelled. It cannot be brought back.',
        }),
      submit: calling(deleteWebhookEndpoint, 'endpoint_deleted', undefined, '/developers'),
    },
    {
      path: `${path}/test`,
      submit: showing('tested', ['status_code', 'error', 'duration_ms'], testWebhookEndpoint),
    },
    {
      path: `${path}/rotate-secret`,
      ask: (request) =>
        about(request, {
          title: 'Rotate the secret?',
          consequence:
            'You get a new signing secret. The old one signs as well for 24 hours: by then your ' +
            'server has to know the new one.',
        }),
      submit: showing('rotated', ['secret'], rotateWebhookEndpointSecret),
    },
    {
      path: `${path}/resend`,
      submit: showing(
        'resent',
        ['scheduled', 'next_since'],
        resendToWebhookEndpoint,
        ({ since }) => ({ since }),
      ),
    },
    {
      path: `${path}/resend/:delivery`,
      async submit({ call, params: { delivery = '' } }) {
        await call(resendDelivery, { params: { id: delivery } });
        return { notice: 'delivery_resent' };
      },
    },
  ],
});

async function about({ call, params }: DashboardRequest, question: Question): Promise<Question> {
  const { url, event_types: types } = await call(getWebhookEndpoint, { params });
  return { facts: { Address: url, Events: types.join(', ') }, ...question };
}
