import { join } from 'node:path';
import { Eta } from 'eta';
import express, { type Request, type Response, type Router } from 'express';
import type { Provider, SandboxContext } from './context.ts';
import { type PayerAction, payOrDecline } from './pay-or-decline.ts';
import { findPayPage } from './pay-pages.ts';
import { findLastTry, hasEnded, isPaid } from './payments.ts';
import type { Payment, PayPage } from './records.ts';

/**
 * No form-action: browsers hold it against the whole chain of redirects after a form, which ends at
 * the merchant's site.
 */
const contentSecurityPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'";

const eta = new Eta({ views: join(import.meta.dirname, 'pages'), cache: true });

const actions = new Map<unknown, PayerAction>([
  ['card', { outcome: 'success', channel: 'card' }],
  ['transfer', { outcome: 'success', channel: 'bank_transfer' }],
  ['decline', { outcome: 'failed', channel: 'card' }],
]);

/**
 * The page a customer is sent to: it shows what is to be paid, takes the customer's choice and
 * sends them back to the merchant.
 */
export function payPage(context: SandboxContext, provider: Provider): Router {
  const router = express.Router();
  router.use((_request, response, next) => {
    response.set({
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    next();
  });
  router.get('/:accessCode', (request, response) => show(context, provider, request, response));
  router.post(
    '/:accessCode',
    express.urlencoded({ limit: '10kb', extended: false }),
    (request, response) => choose(context, provider, request, response),
  );
  return router;
}

async function show(
  context: SandboxContext,
  provider: Provider,
  request: Request,
  response: Response,
): Promise<void> {
  const payment = await find(context, provider, request);
  if (!payment) return void response.status(404).send(eta.render('./missing', { provider }));
  const last = await findLastTry(context.sql, payment);
  const state = {
    paid: isPaid(payment),
    ended: hasEnded(payment, context.now()),
    amount: naira(last ?? payment),
  };
  response.send(
    eta.render('./checkout', {
      provider,
      payment,
      ...state,
      returnUrl: returnUrl(provider, payment, last),
    }),
  );
}

/**
 * The action may find the payment paid meanwhile: then it changes nothing and the customer sees
 * what is.
 */
async function choose(
  context: SandboxContext,
  provider: Provider,
  request: Request,
  response: Response,
): Promise<void> {
  const payment = await find(context, provider, request);
  const action = actions.get(request.body?.choice);
  if (!payment || !action) return show(context, provider, request, response);
  const paid = await payOrDecline(context, payment, action);
  const stays = paid
    ? action.outcome === 'failed' && provider.keepsDeclined
    : !isPaid(payment) && hasEnded(payment, context.now());
  const merchant = returnUrl(provider, payment, paid ?? (await findLastTry(context.sql, payment)));
  response.redirect(303, stays || !merchant ? request.originalUrl : merchant);
}

async function find(
  context: SandboxContext,
  provider: Provider,
  request: Request,
): Promise<PayPage | undefined> {
  const accessCode = String(request.params.accessCode);
  const page = /^[\w|]{1,64}$/.test(accessCode)
    ? await findPayPage(context.sql, accessCode)
    : undefined;
  return page?.account.provider === provider.name ? page : undefined;
}

function naira(payment: Payment): string {
  return new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN' }).format(
    (payment.paidKobo ?? payment.requestedKobo) / 100,
  );
}

/**
 * The merchant's address as it was given, its own query and fragment untouched, with the provider's
 * parameters added.
 */
function returnUrl(
  provider: Provider,
  payment: Payment,
  last: Payment | undefined,
): string | undefined {
  if (!payment.callbackUrl) return undefined;
  const [address = '', ...fragment] = payment.callbackUrl.split('#');
  const query = new URLSearchParams(provider.returnQuery(payment, last)).toString();
  return [address + (address.includes('?') ? '&' : '?') + query, ...fragment].join('#');
}
