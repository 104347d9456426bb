import { callProvider } from '../../../../domain/providers/adapter/http.ts';
import { absentPayment } from '../../../../domain/providers/adapter/payments.ts';
import { payPageIn } from '../../../../domain/providers/adapter/read.ts';
import { unpublishedBudgets } from '../../../../domain/providers/port/budget.ts';
import {
  type ProviderDefinition,
  sameBaseUrl,
} from '../../../../domain/providers/port/definition.ts';
import type { Verification } from '../../../../domain/providers/port/payment.ts';
import type { Account, Capabilities } from '../../../../domain/providers/port/provider.ts';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import { nextBusinessDay } from '../../../../domain/shared/lagos.ts';

const capabilities: Capabilities = {
  rejectsDuplicateReferences: true,
  paysAgain: 'never',
  idempotentRefunds: false,
  refundLists: 'of_payment',
  disputes: 'none',
  settlements: 'none',
  paymentLists: null,
};

export const acme: ProviderDefinition = {
  name: 'acme',
  baseUrls: sameBaseUrl('ACME_BASE_URL', 'https://api.acme.example'),
  budgets: unpublishedBudgets,
  credentialFields: {
    token: {
      description: 'The token of the account.',
      maxLength: 100,
      problemOf: (token, mode) =>
        token.startsWith(`acme_${mode}_`) ? undefined : `must begin with acme_${mode}_`,
      sample: (hex) => `acme_test_${hex(20)}`,
    },
  },
  capabilities,
  settlementTerms: { settlementDay: nextBusinessDay, deductsRefunds: false },
  refundObstacle: () => null,
  pastObstacle: 'Acme lists nothing of it.',
  disputeAdvice: 'Acme knows no disputes.',
  open(account) {
    const call = callerOf(account);
    return {
      capabilities,
      async create({ reference, amountKobo }, { timeoutMs }) {
        const { json } = await call('POST', '/payments', timeoutMs, { reference, amountKobo });
        return { url: payPageIn(json.url), linkExpiresInMs: null };
      },
      async verify(reference, { timeoutMs }) {
        const { status, json, raw } = await call('GET', `/payments/${reference}`, timeoutMs);
        return status === 404 ? absentPayment(raw) : read(json, raw);
      },
      async checkCredentials({ timeoutMs }) {
        if ((await call('GET', '/account', timeoutMs)).status !== 200)
          throw new ProviderError('refused', 'check', 'Acme does not accept the token');
      },
      refund: async () => {
        throw new ProviderError('refused', 'refund', 'Acme refunds nothing.');
      },
      findRefund: async () => undefined,
      listRefunds: async () => [],
      listAccountRefunds: null,
      listPastPayments: null,
      listPastRefunds: null,
      listDisputes: async () => [],
      respondToDispute: async () => {
        throw new ProviderError('refused', 'respond to dispute', 'Acme knows no disputes.');
      },
      listSettlements: async () => ({ rows: [], next: null }),
      listLines: async () => ({ rows: [], next: null }),
      findSettlement: async () => undefined,
      readSettlement: () => undefined,
      listPayments: async () => ({ rows: [], next: null }),
      readNotification: () => undefined,
    };
  },
};

function callerOf({ baseUrl, credentials }: Account) {
  const headers = {
    authorization: `Bearer ${credentials.token}`,
    'content-type': 'application/json',
  };
  return (method: 'GET' | 'POST', path: string, timeoutMs: number, body?: object) =>
    callProvider({ method, url: baseUrl + path, headers, timeoutMs, stage: path, body });
}

interface AcmePayment {
  reference: string;
  amountKobo: number;
  paidAt?: string;
}

function read(payment: Record<string, unknown>, raw: string): Verification {
  const { reference, amountKobo, paidAt } = payment as unknown as AcmePayment;
  const capture = {
    providerPaymentId: `acme-${reference}`,
    ...{ reference, amountKobo, feeKobo: null, currency: 'NGN', channel: 'card' as const },
    ...{ mode: null, createdAt: null, capturedAt: paidAt ? new Date(paidAt) : null },
  };
  return {
    ...absentPayment(raw),
    state: paidAt ? 'paid' : 'unpaid',
    status: paidAt ? 'paid' : 'open',
    captures: paidAt ? [capture] : [],
  };
}
