import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Database, Sql } from '../../domain/sql.ts';
import type { FaultBoard } from './faults.ts';
import type { Account, Dispute, Payment, ProviderName, Refund } from './records.ts';

/** Everything the sandbox stands on, built once in `sandbox.ts`. */
export interface World {
  sql: Database;
  url: string;
  now(): Date;
  random(): number;
  log(message: string, fields?: object): void;
  providers: Record<ProviderName, Provider>;
  faults: FaultBoard;
  /** Sends what waits to be sent. Call it after the transaction that queued a notification has committed. */
  wake(): void;
  /** Aborts when the sandbox closes. */
  closing: AbortSignal;
  /** Answers that are never given; their sockets end when the sandbox does. */
  held: Set<ServerResponse>;
}

/** A provider's wire format. It knows names, shapes and messages; what happens to money is decided outside it. */
export interface Provider {
  name: ProviderName;
  title: string;
  /** The slot an account takes when its registration names none. */
  slot: string;
  endpoints: Endpoint[];
  refusals: { unknownKey: Answer; unknownPath: Answer; unreadable: Answer; tooLarge: Answer; rateLimited: Answer; broken: Answer };
  identify(sql: Sql, headers: IncomingHttpHeaders): Promise<Account | undefined>;
  feeKobo(amountKobo: number): number;
  /** What the hosted page adds to the merchant's address when it sends the customer back. */
  returnQuery(payment: Payment): Record<string, string>;
  /** What the account is told of a change; undefined where the provider tells nothing. */
  notices: {
    payment(account: Account, payment: Payment): object | undefined;
    refund(account: Account, payment: Payment, refund: Refund): object | undefined;
    dispute(account: Account, payment: Payment, dispute: Dispute): object | undefined;
  };
  /** The headers that prove a notification's body, given the exact bytes. */
  sign(secretKey: string, body: string): Record<string, string>;
}

export interface Endpoint {
  method: 'get' | 'post';
  path: string;
  /** What the request counts as in the statistics, and the reference it is about. */
  counts?: { as: 'create' | 'verify'; reference(call: Call): string | undefined };
  handle(world: World, call: Call): Promise<Answer>;
}

export interface Call {
  account: Account;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** A payment or refund was accepted: from here on the answer may be lost by the timeout fault. */
  accepted?: true;
  /** A create was refused because its reference had been accepted before. */
  duplicate?: true;
}
