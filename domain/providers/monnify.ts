import { bodyOf, errorOf, isDuplicate, isNotFound, messageOf } from './monnify/answers.ts';
import { readEvent, signatureHolds } from './monnify/notification.ts';
import { monnifyPayouts } from './monnify/payouts.ts';
import { isNoRefund, readRefund, refundBody, refundErrorOf } from './monnify/refund.ts';
import { listRefundsOf } from './monnify/refunds-list.ts';
import { openSession, patienceOf, type Session } from './monnify/session.ts';
import { absent, readTransaction } from './monnify/transaction.ts';
import {
  type Account,
  type CallOptions,
  type HostedPayment,
  type PaidPayment,
  type PaymentOrder,
  type Provider,
  ProviderError,
  type ProviderRefund,
  type RefundOrder,
  type Verification,
  type WantedRefund,
} from './provider.ts';
import { nairaOf } from './read.ts';

/** A pay page takes money for forty minutes, whatever it is asked for. */
const LINK_LIVES_MS = 40 * 60_000;

/** Opens a Monnify account. Its secret key also signs notifications; its contract is the one payments are made under. */
export function monnify(account: Account): Provider {
  const { secret_key: secretKey = '', contract_code: contractCode = '' } = account.credentials;
  const session = openSession(account);
  return {
    rejectsDuplicates: true,
    refundsOnce: true,
    create: (order, options) => create(session, contractCode, order, options),
    verify: (reference, options) => verify(session, reference, options),
    refund: (order, options) => refund(session, order, options),
    findRefund: (wanted, options) => findRefund(session, wanted, options),
    listRefunds: (payment, options) => listRefunds(session, payment, options),
    // Monnify tells of disputes by e-mail and on its dashboard only.
    listDisputes: async () => [],
    checkCredentials: (options) => session.logIn('check', patienceOf(options)),
    ...monnifyPayouts(session),
    readNotification(headers, body) {
      return signatureHolds(headers['monnify-signature'], body, secretKey)
        ? readEvent(body)
        : undefined;
    },
  };
}

async function create(
  session: Session,
  contractCode: string,
  order: PaymentOrder,
  options: CallOptions,
): Promise<HostedPayment> {
  const path = '/api/v1/merchant/transactions/init-transaction';
  const answer = await session.call(
    { method: 'POST', path, body: orderBody(order, contractCode), stage: 'create' },
    patienceOf(options),
  );
  if (isDuplicate(answer)) throw new ProviderError('duplicate', 'create', messageOf(answer));
  const made = bodyOf(answer);
  if (!made) throw errorOf(answer, 'create');
  if (made.paymentReference !== order.reference)
    throw new ProviderError('unknown', 'create', 'the answer is about another reference');
  const { checkoutUrl: url } = made;
  if (typeof url === 'string' && /^https?:/i.test(url) && URL.canParse(url))
    return { url, linkLivesMs: LINK_LIVES_MS };
  throw new ProviderError('unknown', 'create', 'the answer holds no address of a pay page');
}

/** `paymentReference` is the only key we have to find the payment by when its answer is lost. */
function orderBody(order: PaymentOrder, contractCode: string): object {
  return {
    amount: nairaOf(order.amountKobo),
    currencyCode: order.currency,
    contractCode,
    paymentReference: order.reference,
    customerEmail: order.email,
    customerName: order.name ?? order.email,
    paymentDescription: order.description ?? `Payment ${order.reference}`,
    redirectUrl: order.callbackUrl,
    metaData: order.phone === null ? {} : { customer_phone: order.phone },
  };
}

async function verify(
  session: Session,
  reference: string,
  options: CallOptions,
): Promise<Verification> {
  const path = `/api/v2/merchant/transactions/query?paymentReference=${encodeURIComponent(reference)}`;
  const answer = await session.call({ method: 'GET', path, stage: 'verify' }, patienceOf(options));
  if (isNotFound(answer)) return absent(answer.raw);
  const transaction = bodyOf(answer);
  if (!transaction) throw errorOf(answer, 'verify');
  return readTransaction(transaction, answer.raw);
}

async function refund(
  session: Session,
  order: RefundOrder,
  options: CallOptions,
): Promise<ProviderRefund> {
  const request = {
    method: 'POST',
    path: '/api/v1/refunds/initiate-refund',
    body: refundBody(order),
    stage: 'refund',
  } as const;
  const answer = await session.call(request, patienceOf(options));
  const begun = bodyOf(answer);
  if (!begun) throw refundErrorOf(answer, 'refund');
  return ours(readRefund(begun, answer.raw, 'refund'), order.refundId, 'refund');
}

async function findRefund(
  session: Session,
  wanted: WantedRefund,
  options: CallOptions,
): Promise<ProviderRefund | undefined> {
  const id = wanted.providerRefundId ?? wanted.refundId;
  const path = `/api/v1/refunds/${encodeURIComponent(id)}`;
  const answer = await session.call(
    { method: 'GET', path, stage: 'find refund' },
    patienceOf(options),
  );
  if (isNoRefund(answer)) return undefined;
  const found = bodyOf(answer);
  if (!found) throw errorOf(answer, 'find refund');
  return ours(readRefund(found, answer.raw, 'find refund'), id, 'find refund');
}

/** The refund, once it is sure that the answer is about the one that was asked for. */
function ours(refund: ProviderRefund, id: string, stage: string): ProviderRefund {
  if (refund.providerRefundId !== id)
    throw new ProviderError('unknown', stage, 'the answer is about another refund');
  return refund;
}

function listRefunds(
  session: Session,
  payment: PaidPayment,
  options: CallOptions,
): Promise<ProviderRefund[]> {
  const patience = patienceOf(options);
  return listRefundsOf(payment, async (query) => {
    const answer = await session.call(
      { method: 'GET', path: `/api/v1/refunds?${query}`, stage: 'refunds' },
      patience,
    );
    const page = bodyOf(answer);
    if (!page) throw errorOf(answer, 'refunds');
    return page;
  });
}
