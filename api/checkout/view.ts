import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { Response } from 'express';
import type { Context } from '../../config/context.ts';
import { checkoutIdOf } from '../../domain/shared/ids.ts';
import { self, viewSecurity } from '../http/view-security.ts';

export const viewsDir = fileURLToPath(new URL('.', import.meta.url));

/** With these a text is shown in another order than it is written: 12 as 21, gpj.exe as exe.jpg. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;

/** Text shown with `<%= %>` is escaped, and in the order it is written. */
const views = new Eta({
  views: viewsDir,
  cache: true,
  autoFilter: true,
  filterFunction: (value) => String(value).replace(reordering, ''),
});

/** A form can be sent to this service only. */
export const formSecurity = viewSecurity({ scriptSrc: self, connectSrc: self, formAction: self });

export function assetsOf({ env }: Context): string {
  return `${env.basePath}/pay/assets`;
}

export function redirectToCheckout({ env }: Context, response: Response, chargeId: string): void {
  response
    .set('Cache-Control', 'no-store')
    .redirect(303, `${env.publicUrl}/pay/${checkoutIdOf(chargeId)}`);
}

/** No cache stores it. */
export function sendView(response: Response, template: 'pay' | 'link' | 'problem', shown: object) {
  response
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(views.render(`./${template}.eta`, shown));
}
