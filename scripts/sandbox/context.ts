import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Faults } from './faults.ts';
import type { Account, Dispute, Payment, ProviderName, Refund, Settlement } from './records.ts';
import type { Store } from './store.ts';

/** What the sandbox depends on, built once in `sandbox.ts`. */
export interface SandboxContext {
  store: Store;
  url: string;
  now(): Date;
  random(): number;
  log(message: string, fields?: object): void;
  providers: Record<ProviderName, Provider>;
  faults: Record<ProviderName, Faults>;
  /** Starts sending the due notifications, each once its change is in the database. */
  sendDue(): void;
  closing: AbortSignal;
  /** Requests that are never answered; their sockets end when the sandbox does. */
  unanswered: Set<ServerResponse>;
  /** Customers who are on their way back to a merchant. */
  visits: Set<Promise<void>>;
}

/** A provider's wire format. What happens to money is decided elsewhere. */
export interface Provider {
  name: ProviderName;
  title: string;
  /** The slot an account takes when its registration names none. */
  slot: string;
  /** The parts of an account's credentials: all of them are needed, and no others are known. */
  credentials: readonly CredentialName[];
  endpoints: Endpoint[];
  refusals: Record<
    'unknownKey' | 'unknownPath' | 'unreadable' | 'tooLarge' | 'rateLimited' | 'broken',
    Answer
  >;
  /** The account that calls, if any; absent: it calls with its secret key. */
  identify?(
    context: SandboxContext,
    headers: IncomingHttpHeaders,
    endpoint: Endpoint,
    provider: Provider,
  ): Account | undefined;
  feeKobo(amountKobo: number): number;
  /** The part of a fee that is stamp duty, where settlements state it separately. */
  stampDutyKobo?(amountKobo: number): number;
  /** What it calls a payment, or a settlement, where that is more than its number. */
  paymentName?(payment: Payment): string;
  settlementName?(settlement: Settlement): string;
  /** What a page's address ends in, where that says something. */
  accessCodeOf?(paymentId: number, now: Date): string;
  /** A declined customer stays on the page to try again; elsewhere they go back to the merchant. */
  keepsDeclined?: true;
  /** A decline ends the payment's page; elsewhere the customer may try again. */
  declineIsFinal?: true;
  /** Refunds are paid from the merchant's wallet; elsewhere a later settlement is short of them. */
  refundsFromWallet?: true;
  unreadableAddress?: RegExp;
  /** What the page adds to the merchant's address for a returning customer. */
  returnQuery(page: Payment, last: Payment | undefined): Record<string, string>;
  /** The notification of a change; undefined where the provider sends none. */
  notifications: {
    payment(account: Account, payment: Payment): object | undefined;
    /** A transfer of the wrong amount was sent back, where the provider can do so. */
    rejection?(account: Account, payment: Payment, amountKobo: number): object;
    refund(account: Account, payment: Payment, refund: Refund): object | undefined;
    dispute?(account: Account, payment: Payment, dispute: Dispute): object;
    /** Of a settlement that landed, with its payments. */
    settlement?(settlement: Settlement, payments: Payment[]): object;
  };
  /** The headers that prove a notification's body, given the exact bytes. */
  sign(account: Signer, body: string): Record<string, string>;
}

export type CredentialName = 'secret_key' | 'secret_hash' | 'api_key' | 'contract_code';

/** As much of an account as it takes to sign for it. */
export type Signer = Pick<Account, 'secretKey' | 'credentials'>;

export interface Endpoint {
  method: 'get' | 'post' | 'put';
  path: string;
  /** It looks at a payment, and counts as that in the statistics. */
  isLook?: true;
  /** It creates a payment, under this reference of its body. */
  createsUnder?(body: ReadRequest['body']): string | undefined;
  handle(context: SandboxContext, call: Call): Answer;
}

/** A request as it was read, whoever sent it. */
export interface ReadRequest {
  headers: IncomingHttpHeaders;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

export interface Call extends ReadRequest {
  account: Account;
}

export interface Answer {
  status: number;
  body: unknown;
  /** A payment or refund was accepted: from here on the answer may be lost by the timeout fault. */
  accepted?: true;
  headers?: Record<string, string>;
}
