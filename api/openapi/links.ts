import { referTo } from './components.ts';
import type { Answer, Link } from './types.ts';

const BY_REFERENCE = { reference: '$response.body#/reference' };
const OWN_ID = { id: '$response.body#/id' };

/** Operations by the title of the answer that leads to them. */
const leadsTo: Record<string, Record<string, Link['parameters']>> = {
  Checkout: {
    getCharge: BY_REFERENCE,
    listChargeTimeline: BY_REFERENCE,
    cancelCharge: BY_REFERENCE,
    getTransaction: { id: '$response.body#/reference' },
    listRefunds: BY_REFERENCE,
  },
  Transaction: { getCharge: BY_REFERENCE, listRefunds: BY_REFERENCE },
  Refund: {
    getRefund: OWN_ID,
    approveRefund: OWN_ID,
    rejectRefund: OWN_ID,
    getCharge: BY_REFERENCE,
  },
  PaymentLink: { getPaymentLink: OWN_ID, disablePaymentLink: OWN_ID },
  Settlement: {
    listSettlementTransactions: OWN_ID,
    listDiscrepancies: { settlement: '$response.body#/id' },
  },
  Review: { acceptReview: OWN_ID, returnReview: OWN_ID, getCharge: BY_REFERENCE },
  WebhookEndpoint: { listDeliveries: { endpoint: '$response.body#/id' } },
  WebhookEndpointWithSecret: { getWebhookEndpoint: OWN_ID, testWebhookEndpoint: OWN_ID },
  TestDelivery: { getDelivery: { id: '$response.body#/delivery_id' } },
  Delivery: { getDelivery: OWN_ID, resendDelivery: OWN_ID },
  Connection: { getConnection: OWN_ID, checkConnection: OWN_ID },
  MemberWithLink: { getMember: OWN_ID },
  CreatedApiKey: { getApiKey: OWN_ID, revokeApiKey: OWN_ID },
};

export function linksOf(title: string): Pick<Answer, 'links'> {
  const operations = Object.keys(leadsTo[title] ?? {});
  if (operations.length === 0) return {};
  const links = operations.map((name) => [name, referTo('links', nameOf(title, name))]);
  return { links: Object.fromEntries(links) };
}

export function allLinks(): Record<string, Link> {
  const links = Object.entries(leadsTo).flatMap(([title, operations]) =>
    Object.entries(operations).map(([operationId, parameters]) => [
      nameOf(title, operationId),
      { operationId, parameters },
    ]),
  );
  return Object.fromEntries(links);
}

/** `Checkout`, `getCharge` → `CheckoutToGetCharge`. */
function nameOf(title: string, operationId: string): string {
  return `${title}To${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
}
