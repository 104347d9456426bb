import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint, Provider, SandboxContext } from '../context.ts';
import type { Arrival, Caller } from '../records.ts';
import { refusals } from './answers.ts';
import { getBalance } from './balance.ts';
import { getDispute, getDisputes } from './disputes.ts';
import { initialize } from './initialize.ts';
import {
  disputeNotification,
  paymentNotification,
  refundNotification,
  sign,
} from './notifications.ts';
import { createRefund, getRefund, getRefunds } from './refunds.ts';
import { getSettlements, getSettlementTransactions } from './settlements.ts';
import { getTransaction, getTransactions, verify } from './transactions.ts';

/** Paystack's wire format. Everything below only says what things are called there. */
export const paystack: Provider = {
  name: 'paystack',
  title: 'Paystack',
  slot: 'provider_a',
  credentials: ['secret_key'],
  endpoints: [
    initialize,
    verify,
    getTransactions,
    getTransaction,
    createRefund,
    getRefunds,
    getRefund,
    getSettlements,
    getSettlementTransactions,
    getDisputes,
    getDispute,
    getBalance,
  ],
  refusals,
  identify,
  feeKobo,
  returnQuery: ({ reference }) => ({ trxref: reference, reference }),
  notifications: {
    payment: paymentNotification,
    refund: refundNotification,
    dispute: disputeNotification,
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
    ? context.batched.findCaller({ provider: 'paystack', part: 'secret key', value, arrival })
    : undefined;
}

/**
 * 1.5 % rounded up, plus ₦100 from ₦2,500 on, and never above ₦2,000. In whole numbers, so that no
 * fraction rounds by accident.
 */
function feeKobo(amountKobo: number): number {
  return Math.min(
    200_000,
    Math.ceil((amountKobo * 15) / 1000) + (amountKobo >= 250_000 ? 10_000 : 0),
  );
}
