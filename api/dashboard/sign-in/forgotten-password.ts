import { networkOf } from '../../../config/client-network.ts';
import { askForLinks } from '../../../domain/accounts/member/member-links.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { throttle } from '../../middleware/limit.ts';
import { texts } from './form.ts';
import { refusal, send, type Visit } from './site.ts';

export async function showForgottenPassword(visit: Visit): Promise<void> {
  requireMail(visit);
  send(visit, 'forgotten-password', {});
}

/** Neither the answer nor its time tells whether somebody has this address. */
export async function askForLink(visit: Visit): Promise<void> {
  const { context, request } = visit;
  requireMail(visit);
  const email = texts(request.body, ['email']).email.trim();
  try {
    await throttle(context, 'forgottenNetwork', networkOf(request.ip ?? ''));
    await throttle(context, 'forgottenAddress', email.toLowerCase());
  } catch (error) {
    return send(visit, 'forgotten-password', { email, message: refusal(visit, error) });
  }
  await context.inTx((tx) => askForLinks(tx, email));
  send(visit, 'link-mailed', { email });
}

function requireMail({ context }: Visit): void {
  if (context.mail) return;
  throw new Problem('not_found', 'No mail is sent here. Ask an Owner of your business for a link.');
}
