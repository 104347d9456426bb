import { changeEndpoint, type EndpointChanges } from '../../domain/webhooks/endpoint/change.ts';
import { noSuchEndpoint } from '../../domain/webhooks/endpoint/find.ts';
import { changeInTx } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import {
  checkUrl,
  endpoint,
  endpointView,
  type UpdateWebhookEndpointBody,
  updateWebhookEndpointBody,
} from './schemas.ts';

export const updateWebhookEndpoint = route({
  method: 'patch',
  path: '/webhook-endpoints/:id',
  operationId: 'updateWebhookEndpoint',
  summary: 'Change the address or the event types of an endpoint, disable it or enable it again',
  credential: 'develop',
  body: updateWebhookEndpointBody,
  answers: { 200: endpoint },
  async handle({ context, caller, params, body }) {
    const who = await caller();
    const id = pathId(params, 'whe', noSuchEndpoint);
    if (body.url !== undefined) checkUrl(context.env, body.url);
    return changeInTx(context, async (tx) => {
      const row = await changeEndpoint(tx, who, id, changesOf(body));
      return { status: 200, body: await endpointView(tx.sql, row, tx.now) };
    });
  },
});

function changesOf({
  url,
  event_types: eventTypes,
  status,
}: UpdateWebhookEndpointBody): EndpointChanges {
  return {
    ...(url === undefined ? {} : { url }),
    ...(eventTypes === undefined ? {} : { eventTypes }),
    ...(status === undefined ? {} : { status }),
  };
}
