export type ProviderName = 'paystack';

/** The channels a customer can pay through, in the words of the control side. */
export type Channel = 'card' | 'bank_transfer' | 'ussd' | 'qr' | 'mobile_money' | 'other';

/** A merchant's account at a provider. Its credentials alone tell it from another's. */
export interface Account {
  id: number;
  provider: ProviderName;
  slot: string;
  mode: 'test' | 'live';
  secretKey: string;
  notificationUrl: string | null;
  createdAt: Date;
}

/** `reversing` and `reversed` say that all of the money is on its way back, or back; a partial refund leaves a payment `paid`. */
export type PaymentStatus = 'open' | 'failed' | 'paid' | 'reversing' | 'reversed';

/** What an account asked a customer to pay. The amount paid may differ from the amount asked. */
export interface Payment {
  id: number;
  accountId: number;
  reference: string;
  accessCode: string;
  email: string;
  callbackUrl: string | null;
  metadata: string | null;
  status: PaymentStatus;
  requestedKobo: number;
  paidKobo: number | null;
  feeKobo: number | null;
  reversedKobo: number;
  reversingKobo: number;
  channel: Channel | null;
  gatewayResponse: string | null;
  attempts: number;
  nextRefund: RefundEnding;
  settlementId: number | null;
  createdAt: Date;
  paidAt: Date | null;
}

export type RefundEnding = 'completed' | 'failed' | 'needs-attention';

export interface Refund {
  id: number;
  accountId: number;
  paymentId: number;
  amountKobo: number;
  status: 'pending' | 'processing' | RefundEnding;
  ending: RefundEnding;
  customerNote: string | null;
  merchantNote: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface Dispute {
  id: number;
  accountId: number;
  paymentId: number;
  amountKobo: number;
  resolution: 'won' | 'lost' | null;
  createdAt: Date;
  updatedAt: Date;
  resolvedAt: Date | null;
}

/** One payout. `landedKobo` is what reached the bank: gross − fees − deductions − whatever it was told to fall short by. */
export interface Settlement {
  id: number;
  accountId: number;
  grossKobo: number;
  feeKobo: number;
  deductionsKobo: number;
  landedKobo: number;
  createdAt: Date;
}
