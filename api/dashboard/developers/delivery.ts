import { Problem } from '../../../domain/shared/problems.ts';
import { getDelivery } from '../../deliveries/get-delivery.ts';
import { resendDelivery } from '../../deliveries/resend-delivery.ts';
import { getWebhookEndpoint } from '../../webhook-endpoints/get-webhook-endpoint.ts';
import { view } from '../request.ts';

export const deliveryView = view('developers', {
  path: '/developers/deliveries/:id',
  title: 'Delivery',
  template: 'developers/delivery',
  async load({ call, params: { id = '' } }) {
    const delivery = await call(getDelivery, { params: { id } });
    const endpoint = await call(getWebhookEndpoint, {
      params: { id: delivery.endpoint_id },
    }).catch(noneWhereDeleted);
    return { delivery, endpoint };
  },
  forms: [
    {
      path: '/developers/deliveries/:id/resend',
      async submit({ call, params }) {
        const again = await call(resendDelivery, { params });
        return { to: `/developers/deliveries/${again.id}`, notice: 'delivery_resent' };
      },
    },
  ],
});

function noneWhereDeleted(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === 'not_found')) throw error;
}
