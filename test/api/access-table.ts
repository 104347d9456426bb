import type { Role } from '../../domain/accounts/roles.ts';
import { newId } from '../../domain/shared/ids.ts';
import { newCharge, putCharge } from '../support/charges.ts';
import { anyConnection } from '../support/connect.ts';
import { addDelivery, addEndpoint } from '../support/deliveries.ts';
import { addDiscrepancy } from '../support/discrepancies.ts';
import { addDispute } from '../support/disputes.ts';
import { memberOf } from '../support/members.ts';
import { addReview } from '../support/reviews.ts';
import { addSettlement } from '../support/settlements.ts';
import type { Stack } from '../support/stack.ts';

/**
 * How each endpoint is called, and who may call it. It repeats the routes, so that a mistake
 * in a route shows.
 */
export interface Entry {
  may: readonly Role[] | 'anyone';
  /** Creates what the path names, in the tenant's test mode; returns its id or reference. */
  subject?: (stack: Stack) => Promise<string>;
  /** What the path names where every tenant has its own. */
  own?: (stack: Stack) => string;
  body?: object | ((stack: Stack) => Promise<object>);
  query?: string;
  /** The status a permitted caller gets; absent: any success. */
  status?: number;
  /** The answer to another tenant whose query or body names something of this tenant. */
  foreignStatus?: 404;
  /** True for what both modes share. */
  modeless?: true;
}

const members: readonly Role[] = ['owner', 'developer', 'finance', 'support', 'viewer'];
export const readers: readonly Role[] = ['secret', ...members];
const collectors: readonly Role[] = ['secret', 'owner', 'developer'];
const requesters: readonly Role[] = [...collectors, 'finance', 'support'];
const developers: readonly Role[] = ['owner', 'developer'];
const owners: readonly Role[] = ['owner'];
const reviewers: readonly Role[] = ['owner', 'finance'];

export const PAYER = 'adaeze.secret@payer.example';
export const MERCHANT_REFERENCE = 'order-of-adaeze';
export const order = { amount_kobo: 50_000, email: PAYER };

const open = async (stack: Stack) => (await newCharge(stack, order)).reference;

async function paid(stack: Stack): Promise<string> {
  const charge = await newCharge(stack, order);
  await putCharge(stack, charge, 'succeeded');
  return charge.reference;
}

const refundOf = async (stack: Stack) => ({
  reference: await paid(stack),
  reason: 'It did not fit.',
});
const requestedRefund = async (stack: Stack): Promise<string> =>
  (await stack.api.post('/refunds', await refundOf(stack))).json.id;

const link = { amount_kobo: 50_000, description: 'Two tickets' };
const paymentLink = async ({ api }: Stack) =>
  (await api.post('/payment-links', link)).json.id as string;

export async function apiKey(stack: Stack): Promise<string> {
  const id = newId('key', stack.clock());
  await stack.sql`insert into api_keys (id, tenant_id, mode, kind, sha256, last4, created_at)
    values (${id}, ${stack.tenant.tenant_id}, 'test', 'secret', ${id}, 'abcd', ${stack.clock()})`;
  return id;
}

const member = async (stack: Stack) => (await memberOf(stack, stack.tenant, 'viewer')).memberId;

const transactionId = async (stack: Stack) =>
  (await newCharge(stack, order)).id.replace('ct_', 'txn_');
const unknownToken = { refresh_token: `hrt_${'0'.repeat(40)}` };

export const entries: Record<string, Entry> = {
  'POST /charges': {
    may: ['secret', 'public', 'owner', 'developer'],
    body: { amount_kobo: 50_000, email: 'anybody@payer.example' },
  },
  'GET /charges': {
    may: readers,
    query: `?merchant_reference=${MERCHANT_REFERENCE}`,
    foreignStatus: 404,
  },
  'GET /charges/:reference': { may: readers, subject: open },
  'GET /charges/:reference/timeline': { may: readers, subject: open },
  'POST /charges/:reference/cancel': {
    may: [...collectors, 'support'],
    subject: open,
    body: {},
  },
  // Test mode mails no payer.
  'POST /charges/:reference/mail': {
    may: [...collectors, 'support'],
    subject: open,
    body: {},
    status: 409,
  },
  'GET /transactions': { may: readers },
  'GET /transactions/:id': { may: readers, subject: transactionId },
  'POST /refunds': { may: requesters, body: refundOf, foreignStatus: 404 },
  'GET /refunds': { may: readers },
  'GET /refunds/:id': { may: readers, subject: requestedRefund },
  'POST /refunds/:id/approve': { may: owners, subject: requestedRefund, body: {} },
  'POST /refunds/:id/reject': {
    may: owners,
    subject: requestedRefund,
    body: { reason: 'Too late.' },
  },
  'GET /reviews': { may: readers },
  'GET /reviews/:id': { may: readers, subject: addReview },
  'POST /reviews/:id/accept': { may: reviewers, subject: addReview, body: {} },
  'POST /reviews/:id/return': {
    may: reviewers,
    subject: addReview,
    body: { note: 'As asked for.' },
  },
  'GET /disputes': { may: readers },
  'GET /disputes/:id': { may: readers, subject: addDispute },
  'GET /disputes/:id/responses': { may: readers, subject: addDispute },
  'POST /disputes/:id/evidence': {
    may: requesters,
    subject: addDispute,
    body: { details: 'Two tickets, used at the door.', customer_email: PAYER },
  },
  'POST /disputes/:id/accept': {
    may: reviewers,
    subject: addDispute,
    body: { note: 'The parcel was lost.' },
  },
  'POST /payment-links': { may: collectors, body: link },
  'GET /payment-links': { may: readers },
  'GET /payment-links/:id': { may: readers, subject: paymentLink },
  'POST /payment-links/:id/mail': {
    may: [...collectors, 'support'],
    subject: paymentLink,
    body: {},
    status: 409,
  },
  'POST /payment-links/:id/disable': { may: collectors, subject: paymentLink, body: {} },
  'GET /business': { may: readers, modeless: true },
  'PATCH /business': { may: owners, body: {}, modeless: true },
  // No picture: only a permitted caller learns that.
  'PUT /business/logo': { may: owners, body: {}, status: 422, modeless: true },
  'DELETE /business/logo': { may: owners, modeless: true },
  'GET /settlements': { may: readers },
  'GET /settlements/:id': { may: readers, subject: addSettlement },
  'GET /settlements/:id/transactions': { may: readers, subject: addSettlement },
  'GET /statements/:month': { may: readers, own: ({ clock }) => clock().toISOString().slice(0, 7) },
  'GET /discrepancies': { may: readers },
  'GET /discrepancies/:id': { may: readers, subject: addDiscrepancy },
  'POST /discrepancies/:id/close': {
    may: ['owner', 'developer', 'finance'],
    subject: addDiscrepancy,
    body: { reason: 'Agreed.' },
  },
  'GET /balances': { may: readers },
  'GET /balance-transactions': { may: readers },
  'GET /events': { may: readers },
  'POST /api-keys': { may: developers, body: { kind: 'secret' } },
  'GET /api-keys': { may: developers },
  'GET /api-keys/:id': { may: developers, subject: apiKey },
  'PATCH /api-keys/:id': { may: developers, subject: apiKey, body: { name: 'Web store' } },
  'POST /api-keys/:id/rotate': { may: developers, subject: apiKey, body: {} },
  'DELETE /api-keys/:id': { may: developers, subject: apiKey },
  'POST /webhook-endpoints': { may: developers, body: { url: 'https://shop.example/webhooks' } },
  'GET /webhook-endpoints': { may: developers },
  'GET /webhook-endpoints/:id': { may: developers, subject: addEndpoint },
  'PATCH /webhook-endpoints/:id': {
    may: developers,
    subject: addEndpoint,
    body: { event_types: ['charge.failed'] },
  },
  'DELETE /webhook-endpoints/:id': { may: developers, subject: addEndpoint },
  'POST /webhook-endpoints/:id/rotate-secret': { may: developers, subject: addEndpoint, body: {} },
  'POST /webhook-endpoints/:id/test': { may: developers, subject: addEndpoint, body: {} },
  'POST /webhook-endpoints/:id/resend': {
    may: developers,
    subject: addEndpoint,
    body: async ({ clock }) => ({ since: clock().toISOString() }),
  },
  'GET /deliveries': { may: developers },
  'GET /deliveries/:id': { may: developers, subject: addDelivery },
  'POST /deliveries/:id/resend': { may: developers, subject: addDelivery, body: {} },
  'GET /connections': { may: owners },
  'GET /connections/:id': { may: owners, subject: anyConnection },
  // These credentials do not fit the provider: only a permitted caller learns that.
  'POST /connections': {
    may: owners,
    body: { provider: 'provider_c', credentials: { secret_key: 'sk_test_1' } },
    status: 422,
  },
  'PATCH /connections/:id': { may: owners, subject: anyConnection, body: { position: 2 } },
  'POST /connections/:id/check': { may: owners, subject: anyConnection, body: {} },
  'POST /members': {
    may: owners,
    body: async ({ clock }) => ({ email: `${newId('mem', clock())}@new.example`, role: 'viewer' }),
    modeless: true,
  },
  'GET /members': { may: owners, modeless: true },
  'GET /members/:id': { may: owners, subject: member, modeless: true },
  'PATCH /members/:id': {
    may: owners,
    subject: member,
    body: { role: 'developer' },
    modeless: true,
  },
  'DELETE /members/:id': { may: owners, subject: member, modeless: true },
  'POST /members/:id/set-password-link': { may: owners, subject: member, body: {}, modeless: true },
  'POST /auth/token': {
    may: 'anyone',
    body: { email: 'nobody@example.com', password: 'no such password', mode: 'test' },
    status: 401,
  },
  'POST /auth/refresh': { may: 'anyone', body: unknownToken, status: 401 },
  'POST /auth/revoke': { may: 'anyone', body: unknownToken },
};
