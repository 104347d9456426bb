import {
  changeEndpoint,
  deleteEndpoint,
  type EndpointChanges,
  rotateSecret,
} from '../../domain/webhooks/endpoint/endpoint.ts';
import { changeInTx, once } from '../http/idempotency.ts';
import type { Route } from '../http/route.ts';
import { endpointId } from './read-endpoints.ts';
import {
  checkUrl,
  type EndpointChangesBody,
  endpoint,
  endpointChangesBody,
  endpointView,
  newEndpoint,
} from './schemas.ts';

export const changeWebhookEndpoint: Route<EndpointChangesBody> = {
  method: 'patch',
  path: '/webhook-endpoints/:id',
  summary: 'Change where webhooks go and which, disable an endpoint or enable it again',
  may: 'develop',
  body: endpointChangesBody,
  answers: { 200: endpoint },
  async handle({ context, caller, params, body }) {
    const who = await caller();
    const id = endpointId(params);
    if (body.url !== undefined) checkUrl(context.env, body.url);
    return changeInTx(context, async (tx) => {
      const row = await changeEndpoint(tx, who, id, changesOf(body));
      return { status: 200, body: endpointView(row, tx.now) };
    });
  },
};

function changesOf({ url, event_types: eventTypes, status }: EndpointChangesBody): EndpointChanges {
  return {
    ...(url === undefined ? {} : { url }),
    ...(eventTypes === undefined ? {} : { eventTypes }),
    ...(status === undefined ? {} : { status }),
  };
}

export const rotateEndpointSecret: Route = {
  method: 'post',
  path: '/webhook-endpoints/:id/rotate-secret',
  summary:
    'Give an endpoint a new signing secret, shown in this answer only; the one before signs beside it for 24 hours',
  may: 'develop',
  answers: { 201: newEndpoint },
  refusals: ['invalid_state'],
  idempotent: true,
  handle: (call) =>
    once(
      call,
      async (tx, caller) => {
        const { row, secret } = await rotateSecret(tx, caller, endpointId(call.params));
        return { status: 201, body: { ...endpointView(row, tx.now), secret } };
      },
      { sealed: true },
    ),
};

export const deleteWebhookEndpoint: Route = {
  method: 'delete',
  path: '/webhook-endpoints/:id',
  summary: 'Delete a webhook endpoint; what still waits for it is cancelled',
  may: 'develop',
  answers: { 200: endpoint },
  async handle({ context, caller, params }) {
    const who = await caller();
    const id = endpointId(params);
    return changeInTx(context, async (tx) => {
      const row = await deleteEndpoint(tx, who, id);
      return { status: 200, body: endpointView(row, tx.now) };
    });
  },
};
