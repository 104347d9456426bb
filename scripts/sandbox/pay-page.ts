import { join } from 'node:path';
import { parse as parseForm } from 'node:querystring';
import { Eta } from 'eta';
import { scenarios, testScenarios } from '../../domain/shared/test-scenarios.ts';
import type { Provider, SandboxContext } from './context.ts';
import { type Api, decode, readBody, send } from './http.ts';
import { notifyOf } from './notifications.ts';
import {
  findLastTry,
  findPage,
  hasEnded,
  isPaid,
  type PayerAction,
  payOrDecline,
} from './payments.ts';
import type { Payment } from './records.ts';
import { returnUrl } from './return.ts';
import { beginScenario } from './scenarios.ts';

/** No form-action: browsers hold it against the redirect to the merchant after a form. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'self'; base-uri 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
};

const LIMIT_BYTES = 10_000;

const eta = new Eta({ views: join(import.meta.dirname, 'pages'), cache: true });

/** Scenarios that happen after a payment's page is there, in the words of their buttons. */
const moreChoices = testScenarios.flatMap((name) => {
  const { button } = scenarios[name];
  return button === undefined ? [] : [{ name, button }];
});

const actions = new Map<unknown, PayerAction>([
  ['card', { outcome: 'success', channel: 'card' }],
  ['transfer', { outcome: 'success', channel: 'bank_transfer' }],
  ['decline', { outcome: 'failed', channel: 'card' }],
]);

/** The page a customer is sent to: it takes their choice and sends them back to the merchant. */
export function payPage(context: SandboxContext, provider: Provider): Api {
  const { store } = context;

  const takesMoney = (page: Payment) => !isPaid(page) && !hasEnded(page, context.now());

  async function choose(page: Payment, form: Buffer | undefined, address: string) {
    const { choice } = parseForm(String(form));
    const action = actions.get(choice);
    const scenario = moreChoices.find(({ name }) => name === choice)?.name;
    if (!action && !scenario) return undefined;
    const payment = action && payOrDecline(context, page, action);
    if (payment) notifyOf(context, { payment });
    if (scenario && takesMoney(page)) beginScenario(context, page, scenario, true);
    context.sendDue();
    await store.saved();
    const stays = payment
      ? action.outcome === 'failed' && provider.keepsDeclined
      : !isPaid(page) && hasEnded(page, context.now());
    const merchant = returnUrl(provider, page, payment ?? findLastTry(store, page));
    return stays || !merchant ? address : merchant;
  }

  return async (request, response, address) => {
    const accessCode = decode(/^\/([^/?]+)/.exec(address)?.[1] ?? '') ?? '';
    const form = request.method === 'POST' ? await readBody(request, LIMIT_BYTES) : undefined;
    const page = findPage(store, accessCode);
    if (!page || store.account.get(page.accountId)!.provider !== provider.name)
      return send(response, 404, eta.render('./missing', { provider }), HEADERS);
    const location = request.method === 'POST' && (await choose(page, form, request.url!));
    if (location) return send(response, 303, '', { ...HEADERS, Location: location });
    send(response, 200, show(context, provider, page), HEADERS);
  };
}

function show({ store, now }: SandboxContext, provider: Provider, page: Payment): string {
  const last = findLastTry(store, page);
  const { paidKobo, requestedKobo } = last ?? page;
  return eta.render('./checkout', {
    provider,
    payment: page,
    moreChoices,
    paid: isPaid(page),
    ended: hasEnded(page, now()),
    amount: naira.format((paidKobo ?? requestedKobo) / 100),
    returnUrl: returnUrl(provider, page, last),
  });
}

const naira = new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN' });
