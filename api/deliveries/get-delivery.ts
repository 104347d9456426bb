import type { Context } from '../../config/context.ts';
import { findDelivery, triesOf } from '../../domain/webhooks/delivery/delivery.ts';
import { lookUpEndpoint } from '../../domain/webhooks/endpoint/find.ts';
import { deliveryHeaders, type EndpointRow } from '../../domain/webhooks/endpoint/secrets.ts';
import { readRoute } from '../http/route.ts';
import { deliveryView, deliveryWithTries, tryView } from './schemas.ts';

export const getDelivery = readRoute({
  path: '/deliveries/:id',
  operationId: 'getDelivery',
  summary: 'Read a delivery with what was sent, and what the endpoint answered to every try',
  credential: 'develop',
  answer: deliveryWithTries,
  async read(context, caller, id) {
    const { body, ...row } = await findDelivery(context.db, caller, id);
    const tries = await triesOf(context.db, id);
    const endpoint = await lookUpEndpoint(context.db, caller, row.endpoint_id);
    const headersAt = signer(context, endpoint, { id: row.event_id, body });
    const shown = tries.map((made) => ({ ...tryView(made), headers: headersAt(made.at) }));
    return { ...deliveryView(row), body, tries: shown };
  },
});

type Sent = { id: string | null; body: string | null };

/** Signatures are not stored: they are made again. */
function signer({ vault }: Context, endpoint: EndpointRow | null, { id, body }: Sent) {
  return (at: Date) =>
    endpoint && id !== null && body !== null
      ? deliveryHeaders(vault, endpoint, { id, body }, at)
      : null;
}
