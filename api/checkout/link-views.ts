import express, { type Request, type Response } from 'express';
import type { Context } from '../../config/context.ts';
import { logoUrlOf } from '../../domain/accounts/tenant/logo.ts';
import {
  findVisitedLink,
  noSuchLink,
  type VisitedLink,
} from '../../domain/payments/payment-link/find.ts';
import { openCharge } from '../../domain/payments/payment-link/open-charge.ts';
import { isId } from '../../domain/shared/ids.ts';
import { throttleNetwork } from '../middleware/limit.ts';
import { emptyForm, type FormErrors, type FormValues, payerOf, readForm } from './link-form.ts';
import { qrKinds, sendQr } from './link-qr.ts';
import { linkState, linkView } from './link-view.ts';
import { assetsOf, redirectToCheckout, sendView } from './view.ts';

/** Three short fields with every character percent-encoded. */
const FORM_LIMIT = '10kb';

/**
 * `/l/{lnk_}`: merchant and amount, a form for the payer, and the way to the checkout;
 * `/l/{lnk_}/qr.svg` and `qr.png`. Anybody with the address may use it; it shows only what the
 * payer knows. A GET writes nothing.
 */
export function linkViews(context: Context): express.Router {
  const router = express.Router({ caseSensitive: true });
  const parseForm = express.text({ type: 'application/x-www-form-urlencoded', limit: FORM_LIMIT });
  router.use(throttleNetwork(context, 'linkVisit'));
  // Before its forms are counted by its id.
  router.param('link', (_request, _response, next, id) =>
    next(isId('lnk', id) ? undefined : noSuchLink()),
  );
  router.get('/:link', (request, response) => visit(context, request, response));
  // Forms write rows and need no credential.
  const throttleForm = throttleNetwork(context, 'linkForm', 'link');
  router.post('/:link', throttleForm, parseForm, (request, response) =>
    submit(context, request, response),
  );
  for (const kind of qrKinds) {
    router.get(`/:link/qr.${kind}`, async (request, response) => {
      const { id } = await load(context, request);
      await sendQr(context, response, id, kind);
    });
  }
  router.use(() => {
    throw noSuchLink();
  });
  return router;
}

async function visit(context: Context, request: Request, response: Response): Promise<void> {
  answer(context, response, await load(context, request));
}

/** Any number of requests at once open one charge. */
async function submit(context: Context, request: Request, response: Response): Promise<void> {
  const link = await load(context, request);
  const now = context.clock();
  if (link.open_charge_id !== null || linkState(link, now) !== 'form')
    return answer(context, response, link);
  const values = readForm(request.body);
  const form = payerOf(values);
  if ('errors' in form) return answer(context, response, link, values, form.errors);
  const { id, attemptId } = await context.inTx((tx) =>
    openCharge(tx, link, form.payer, context.env.chargeLifetimeMs),
  );
  // None: since it was read, another visitor opened the link's charge, or the link ended.
  if (attemptId === null) return submit(context, request, response);
  response.locals.created = id;
  redirectToCheckout(context, response, id);
}

function answer(
  context: Context,
  response: Response,
  link: VisitedLink,
  values: FormValues = emptyForm,
  errors: FormErrors = {},
): void {
  const state = linkState(link, context.clock());
  if (state === 'form' && link.open_charge_id !== null) {
    redirectToCheckout(context, response, link.open_charge_id);
    return;
  }
  const { status, ...shown } = linkView({
    link,
    state,
    values,
    errors,
    logoUrl: logoUrlOf(link.logo_sha256, context.env.publicUrl),
    assets: assetsOf(context),
  });
  sendView(response.status(status), 'link', shown);
}

async function load({ db }: Context, request: Request): Promise<VisitedLink> {
  const link = await findVisitedLink(db, String(request.params.link));
  if (!link) throw noSuchLink();
  return link;
}
