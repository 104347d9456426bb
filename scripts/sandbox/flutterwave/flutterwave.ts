import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint, Provider, SandboxContext } from '../context.ts';
import type { Arrival, Caller, Payment } from '../records.ts';
import { refusals } from './answers.ts';
import { getBalance, getBalances } from './balances.ts';
import { getChargebacks } from './chargebacks.ts';
import { feeKobo, stampDuty } from './fees.ts';
import { paymentNotification, refundNotification, sign } from './notifications.ts';
import { createHostedLink, disableLink } from './payments.ts';
import { createRefund, getRefund, getRefunds } from './refunds.ts';
import { getSettlement, getSettlements } from './settlements.ts';
import { transactionStatus } from './transaction-shape.ts';
import { getTransactions, verify, verifyByReference } from './transactions.ts';

/**
 * Flutterwave's wire format, version 3: what stands below `/v3` there stands below `/flutterwave`
 * here.
 */
export const flutterwave: Provider = {
  name: 'flutterwave',
  title: 'Flutterwave',
  slot: 'provider_b',
  credentials: ['secret_key', 'secret_hash'],
  endpoints: [
    createHostedLink,
    disableLink,
    verifyByReference,
    verify,
    getTransactions,
    createRefund,
    getRefunds,
    getRefund,
    getSettlements,
    getSettlement,
    getChargebacks,
    getBalances,
    getBalance,
  ],
  refusals,
  identify,
  feeKobo,
  stampDuty,
  keepsDeclined: true,
  returnQuery,
  notifications: {
    payment: paymentNotification,
    refund: refundNotification,
    dispute: () => undefined,
  },
  sign,
};

async function identify(
  context: SandboxContext,
  { authorization = '' }: IncomingHttpHeaders,
  _endpoint: Endpoint,
  arrival: Arrival | undefined,
): Promise<Caller | undefined> {
  const value = /^Bearer +([!-~]+)$/i.exec(authorization)?.[1];
  return value
    ? context.batched.findCaller({ provider: 'flutterwave', part: 'secret key', value, arrival })
    : undefined;
}

/** Who leaves without having tried has cancelled, and there is no transaction to name. */
function returnQuery(page: Payment, last: Payment | undefined): Record<string, string> {
  if (!last) return { status: 'cancelled', tx_ref: page.reference };
  return {
    status: transactionStatus(last),
    tx_ref: page.reference,
    transaction_id: String(last.id),
  };
}
