import type { Mode } from '../../shared/reader.ts';
import type { Budget } from './budget.ts';
import type { Channel } from './payment.ts';
import type { Account, Capabilities, Provider } from './provider.ts';

/** The rest of the code asks this, never the name. */
export interface ProviderDefinition {
  /** Also its path at the sandbox. */
  name: string;
  baseUrls: Record<Mode, BaseUrl>;
  budgets: Record<Mode, Budget>;
  /** By the provider's own names. All are required. */
  credentialFields: Record<string, CredentialField>;
  capabilities: Capabilities;
  settlementTerms: SettlementTerms;
  /** Why it sends back no payment of the channel, and what to do, for people; null: it does. */
  refundObstacle(channel: Channel): string | null;
  /** Why what came before the service is not read, and what to do, for people; null: it is. */
  pastObstacle: string | null;
  /** What a merchant does there about a dispute, as sentences for people. */
  disputeAdvice: string;
  open(account: Account): Provider;
}

export interface BaseUrl {
  variable: string;
  default: string;
}

export interface CredentialField {
  description: string;
  maxLength: number;
  /** Worded to follow the field's name. */
  problemOf(value: string, mode: Mode): string | undefined;
  sample(hex: (digits: number) => string): string;
}

export interface SettlementTerms {
  /** In Lagos, as an ISO date. Public holidays are not known. */
  settlementDay(capturedAt: Date, channel: string): string;
  /** False: refunds come out of a wallet, and settlements stay whole. */
  deductsRefunds: boolean;
}

export function sameBaseUrl(variable: string, address: string): Record<Mode, BaseUrl> {
  const baseUrl = { variable, default: address };
  return { live: baseUrl, test: baseUrl };
}
