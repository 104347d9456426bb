import { join } from 'node:path';
import { Eta } from 'eta';
import express, { type Request, type Response, type Router } from 'express';
import { accountOf } from './accounts.ts';
import { type Act, actOnPayment } from './acts.ts';
import { findLastTry, findPaymentByAccessCode, hasEnded, isPaid } from './payments.ts';
import type { Payment } from './records.ts';
import type { Provider, World } from './world.ts';

/** No form-action: browsers hold it against the whole chain of redirects after a form, which ends at the merchant's site. */
const contentSecurityPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'";

const eta = new Eta({ views: join(import.meta.dirname, 'pages'), cache: true });

const acts = new Map<unknown, Act>([
  ['card', { outcome: 'success', channel: 'card' }],
  ['transfer', { outcome: 'success', channel: 'bank_transfer' }],
  ['decline', { outcome: 'failed', channel: 'card' }],
]);

/** The page a customer is sent to: it shows what is to be paid, takes the customer's choice and sends them back to the merchant. */
export function payPage(world: World, provider: Provider): Router {
  const router = express.Router();
  router.use((_request, response, next) => {
    response.set({
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    next();
  });
  router.get('/:accessCode', (request, response) => show(world, provider, request, response));
  router.post(
    '/:accessCode',
    express.urlencoded({ limit: '10kb', extended: false }),
    (request, response) => choose(world, provider, request, response),
  );
  return router;
}

async function show(
  world: World,
  provider: Provider,
  request: Request,
  response: Response,
): Promise<void> {
  const payment = await find(world, provider, request);
  if (!payment) return void response.status(404).send(eta.render('./missing', { provider }));
  const last = await findLastTry(world.sql, payment);
  const state = {
    paid: isPaid(payment),
    ended: hasEnded(payment, world.now()),
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

/** The act may find the payment paid meanwhile: then it changes nothing and the customer sees what is. */
async function choose(
  world: World,
  provider: Provider,
  request: Request,
  response: Response,
): Promise<void> {
  const payment = await find(world, provider, request);
  const act = acts.get(request.body?.choice);
  if (!payment || !act) return show(world, provider, request, response);
  const acted = await actOnPayment(world, payment.id, act);
  const stays = acted
    ? act.outcome === 'failed' && provider.keepsDeclined
    : !isPaid(payment) && hasEnded(payment, world.now());
  const merchant = returnUrl(provider, payment, acted ?? (await findLastTry(world.sql, payment)));
  response.redirect(303, stays || !merchant ? request.originalUrl : merchant);
}

async function find(
  world: World,
  provider: Provider,
  request: Request,
): Promise<Payment | undefined> {
  const accessCode = String(request.params.accessCode);
  const payment = /^[\w|]{1,64}$/.test(accessCode)
    ? await findPaymentByAccessCode(world.sql, accessCode)
    : undefined;
  return payment && (await accountOf(world.sql, payment)).provider === provider.name
    ? payment
    : undefined;
}

function naira(payment: Payment): string {
  return new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN' }).format(
    (payment.paidKobo ?? payment.requestedKobo) / 100,
  );
}

/** The merchant's address as it was given, its own query and fragment untouched, with the provider's parameters added. */
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
