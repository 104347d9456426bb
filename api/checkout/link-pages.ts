import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Context } from '../../config/context.ts';
import { collect } from '../../domain/payments/payment-link/collect.ts';
import {
  findVisitedLink,
  noSuchLink,
  type VisitedLink,
} from '../../domain/payments/payment-link/find.ts';
import { checkoutIdOf, isId } from '../../domain/shared/ids.ts';
import { networkOf, throttle } from '../middleware/limit.ts';
import { type FormErrors, nothingTyped, payerOf, readTyped, type Typed } from './link-form.ts';
import { linkPage, linkState } from './link-page.ts';
import { assetsOf, sendPage } from './page.ts';

/** Two short fields, with every letter of them in percent signs. */
const FORM_LIMIT = '10kb';

/**
 * `/l/{lnk_}`: where a payer sees who asks for how much, says who they are and goes on to the checkout. Knowing the address is the
 * permission; it tells no more than the payer was told. Looking writes nothing.
 */
export function linkPages(context: Context): express.Router {
  const router = express.Router({ caseSensitive: true });
  const readForm = express.text({ type: 'application/x-www-form-urlencoded', limit: FORM_LIMIT });
  router.get('/:link', (request, response) => visit(context, request, response));
  router.post('/:link', notTooOften(context), readForm, (request, response) =>
    submit(context, request, response),
  );
  router.use(() => {
    throw noSuchLink();
  });
  return router;
}

/** A form makes rows, and nobody has to sign in to send it. */
function notTooOften(context: Context): RequestHandler {
  return async (request, _response, next) => {
    await throttle(context, 'linkForm', networkOf(request.ip ?? ''));
    next();
  };
}

/** Shows the link as it is, or leads to the checkout that waits for its money. */
async function visit(context: Context, request: Request, response: Response): Promise<void> {
  answer(context, response, await load(context, request));
}

/** Opens the link's charge, or finds the one it has, and leads to its checkout. However many ask at once, it is one. */
async function submit(context: Context, request: Request, response: Response): Promise<void> {
  const link = await load(context, request);
  const now = context.clock();
  if (link.open_charge_id !== null || linkState(link, now) !== 'form')
    return answer(context, response, link);
  const typed = readTyped(request.body);
  const form = payerOf(typed);
  if ('errors' in form) return answer(context, response, link, typed, form.errors);
  const { id, job } = await collect(
    context.db,
    link,
    form.payer,
    now,
    context.env.chargeLifetimeMs,
  );
  if (!job) return submit(context, request, response); // the link has changed since it was read: another visitor's charge, or its end
  leadToCheckout(context, response, id);
  context.dispatcher.enqueue([job]);
}

function answer(
  context: Context,
  response: Response,
  link: VisitedLink,
  typed: Typed = nothingTyped,
  errors: FormErrors = {},
): void {
  const state = linkState(link, context.clock());
  if (state === 'form' && link.open_charge_id !== null) {
    leadToCheckout(context, response, link.open_charge_id);
    return;
  }
  const { status, ...shown } = linkPage({ link, state, typed, errors, assets: assetsOf(context) });
  sendPage(response.status(status), 'link', shown);
}

function leadToCheckout({ env }: Context, response: Response, chargeId: string): void {
  response
    .set('Cache-Control', 'no-store')
    .redirect(303, `${env.publicUrl}/pay/${checkoutIdOf(chargeId)}`);
}

async function load({ db }: Context, request: Request): Promise<VisitedLink> {
  const id = String(request.params.link);
  const link = isId('lnk', id) ? await findVisitedLink(db, id) : undefined;
  if (!link) throw noSuchLink();
  return link;
}
