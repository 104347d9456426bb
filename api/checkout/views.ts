import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Context } from '../../config/context.ts';
import { logoUrlOf } from '../../domain/accounts/tenant/logo.ts';
import { isOver } from '../../domain/payments/charge/ending.ts';
import { findById } from '../../domain/payments/charge/find.ts';
import type { ChargeRow } from '../../domain/payments/charge/row.ts';
import { renewLink } from '../../domain/payments/commands/renew-link.ts';
import { findRetry, retryPayment } from '../../domain/payments/commands/retry-payment.ts';
import { findCheckout } from '../../domain/payments/find-checkout.ts';
import { linkUrlOf } from '../../domain/payments/payment-link/row.ts';
import { chargeIdOf } from '../../domain/shared/ids.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { askAboutAttempts, askProviders } from '../charges/ask-providers.ts';
import { sendProblem } from '../http/reply.ts';
import { throttleNetwork } from '../middleware/limit.ts';
import { keepOpener, shareWithOpener } from './opener.ts';
import { payState } from './pay-state.ts';
import { type PayViewInput, payView } from './pay-view.ts';
import { assetsOf, redirectToCheckout, sendView, viewsDir } from './view.ts';

/**
 * `/pay/{ct_}`: the payer waits for the provider's link, goes there, comes back and sees the
 * outcome; a POST tries again after a decline. Anybody with the address may use it; it shows only
 * what the payer knows.
 */
export function checkoutViews(context: Context): express.Router {
  const router = express.Router({ caseSensitive: true });
  for (const file of ['pay.css', 'pay.js', 'icon.svg', 'opener.js']) {
    router.get(`/assets/${file}`, (_request, response) =>
      response.sendFile(file, { root: viewsDir, maxAge: '1h' }),
    );
  }
  const onError: ErrorRequestHandler = (error, request, response, _next) =>
    sendProblem(context, request, response, error);
  router.get(
    '/:checkout/status',
    throttleNetwork(context, 'payStatus'),
    async (request: Request, response: Response) => {
      const loaded = await loadWithLink(context, request);
      shareWithOpener(request, response, loaded.charge);
      const status = payState(loaded, hasReturned(request));
      // A payment was declined, and its payer tries another.
      const retrying = loaded.charge.retrying && { retrying: true };
      response.set('Cache-Control', 'no-store').json({ status, ...retrying });
    },
    onError,
  );
  router.get('/:checkout', throttleNetwork(context, 'payVisit'), async (request, response) => {
    const loaded = await loadFresh(context, request);
    const view = payView({
      ...loaded,
      isRetryable: await mayRetry(context, loaded.charge),
      returned: hasReturned(request),
      assets: assetsOf(context),
      now: context.clock(),
    });
    if (loaded.charge.opener_origin !== null) keepOpener(response);
    sendView(response, 'pay', view);
  });
  const throttleRetry = throttleNetwork(context, 'payRetry', 'checkout');
  // Before tries are counted by its id.
  router.post('/:checkout', expectId, throttleRetry, (request, response) =>
    retry(context, request, response),
  );
  router.use(() => {
    throw noSuchCheckout();
  });
  return router;
}

function noSuchCheckout(): Problem {
  return new Problem('not_found', 'There is no such checkout.');
}

const expectId: RequestHandler = ({ params }, _response, next) =>
  next(chargeIdOf(String(params.checkout)) ? undefined : noSuchCheckout());

function hasReturned(request: Request): boolean {
  return request.query.returned !== undefined;
}

interface Loaded extends Omit<PayViewInput, 'isRetryable' | 'returned' | 'assets' | 'now'> {
  isWithoutLink: boolean;
}

async function mayRetry({ db, clock }: Context, charge: ChargeRow): Promise<boolean> {
  return (await findRetry({ sql: db, now: clock() }, charge)) !== undefined;
}

/** Any number of requests at once open one payment. What was paid meanwhile is found first. */
async function retry(context: Context, request: Request, response: Response): Promise<void> {
  const { charge } = await load(context, request);
  if (await mayRetry(context, charge)) {
    await askAboutAttempts(context, charge, 'payer');
    await context.inTx((tx) => retryPayment(tx, charge.id));
  }
  redirectToCheckout(context, response, charge.id);
}

/** Asks the provider, as a read of the charge does, when the payer comes back from there. */
async function loadFresh(context: Context, request: Request): Promise<Loaded> {
  const loaded = await loadWithLink(context, request);
  if (!hasReturned(request) || loaded.isWithoutLink) return loaded;
  return (await askForPayer(context, loaded.charge)) ? loadWithLink(context, request) : loaded;
}

/** A link that ended unpaid is asked about once more, then the next one is opened. */
async function loadWithLink(context: Context, request: Request): Promise<Loaded> {
  const loaded = await load(context, request);
  const { charge, isWithoutLink, linkPaidBy } = loaded;
  if (!isWithoutLink || linkPaidBy !== null || isOver(charge, context.clock())) return loaded;
  await askProviders(context, charge, 'payer');
  await context.inTx((tx) => renewLink(tx, charge.id));
  return load(context, request);
}

/** A few times a minute for one checkout, so that others have their share. */
async function askForPayer(context: Context, charge: ChargeRow): Promise<boolean> {
  const { allowed } = await context.limits.take('payQuestion', charge.id);
  return allowed && askProviders(context, charge, 'payer');
}

async function load({ db, env, clock }: Context, request: Request): Promise<Loaded> {
  const chargeId = chargeIdOf(String(request.params.checkout));
  const charge = chargeId && (await findById(db, chargeId));
  if (!charge) throw noSuchCheckout();
  const checkout = await findCheckout(db, charge, clock());
  const linkUrl =
    charge.payment_link_id === null ? null : linkUrlOf(charge.payment_link_id, env.publicUrl);
  // A charge that is being cancelled takes no payment: its link is not shown.
  const url = charge.cancel_requested_at === null ? checkout.url : null;
  const logoUrl = logoUrlOf(checkout.logoSha256, env.publicUrl);
  return { charge, ...checkout, url, linkUrl, logoUrl };
}
