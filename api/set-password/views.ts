import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import express, { type Response } from 'express';
import type { Context } from '../../config/context.ts';
import { type OpenLink, openLink, setPassword } from '../../domain/accounts/member/member-links.ts';
import { newPasswordHash } from '../../domain/accounts/member/member-passwords.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { assetsOf } from '../checkout/view.ts';
import { problemOfPassword } from './problem-of-password.ts';

const views = new Eta({ views: fileURLToPath(new URL('..', import.meta.url)), cache: true });

/**
 * `/set-password/{token}`: anybody with the address may set its member's password, once. A GET does
 * not use it up, so that programs which open links in e-mails do no harm.
 */
export function setPasswordViews(context: Context): express.Router {
  const { db, clock } = context;
  const router = express.Router({ caseSensitive: true });
  const send = (
    response: Response,
    template: 'form' | 'done',
    { email, merchant }: OpenLink,
    shown: { title: string; error?: string },
  ) =>
    response
      .set('Cache-Control', 'no-store')
      .type('html')
      .send(
        views.render(`./set-password/${template}.eta`, {
          email,
          merchant,
          assets: assetsOf(context),
          signIn: `${context.env.basePath}/dashboard/sign-in`,
          ...shown,
        }),
      );

  router.get('/:token', async (request, response) => {
    send(response, 'form', await openLink(db, request.params.token, clock()), { title: TITLE });
  });
  router.post(
    '/:token',
    express.urlencoded({ extended: false, limit: '100kb' }),
    async (request, response) => {
      const { token } = request.params;
      const link = await openLink(db, token!, clock());
      const password = request.body?.password;
      const problem = problemOfPassword(password);
      if (problem) {
        const error = `Your password ${problem}.`;
        response.locals.outcome = 'validation_failed';
        return void send(response.status(422), 'form', link, { title: TITLE, error });
      }
      const hash = await newPasswordHash(db, link.email, password, context.passwordCost);
      await context.inTx((tx) => setPassword(tx, token!, link, hash));
      send(response, 'done', link, { title: 'Your password is set' });
    },
  );
  router.use(() => {
    throw new Problem('not_found', 'There is no such page.');
  });
  return router;
}

const TITLE = 'Set your password';
