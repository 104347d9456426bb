import type {
  Account,
  Ask,
  CallOptions,
  Capabilities,
  Notification,
  NotificationHeaders,
  Provider,
} from '../port/provider.ts';
import { ProviderError } from '../port/provider-error.ts';
import { type Question, questionNames, questions } from '../port/questions.ts';
import type { Client } from './client.ts';
import { UnclearError } from './read.ts';

export type Answer<Name extends Question, C extends Client = Client> =
  NonNullable<Provider[Name]> extends Ask<infer Asked, infer Answered>
    ? (client: C, asked: Asked) => Promise<Answered>
    : never;

export type ReadNotification = (
  account: Account,
  headers: NotificationHeaders,
  body: Buffer,
) => Notification | undefined;

export interface Adapter<C extends Client>
  extends Partial<{ [Name in Question]: Answer<Name, C> }> {
  capabilities: Capabilities;
  clientOf(account: Account): (options: CallOptions, stage: string) => C;
  readNotification: ReadNotification;
  readSettlement?: Provider['readSettlement'];
}

/** What is not clear in an answer is `unknown`. */
export function openAccount<C extends Client>(adapter: Adapter<C>, account: Account): Provider {
  const clientOf = adapter.clientOf(account);
  const ask = (name: Question) => {
    const answer = adapter[name] as ((client: C, asked: unknown) => Promise<unknown>) | undefined;
    const { stage } = questions[name];
    return (
      answer &&
      (async (asked: unknown, options: CallOptions) => {
        try {
          return await answer(clientOf(options, stage), asked);
        } catch (error) {
          if (!(error instanceof UnclearError)) throw error;
          throw new ProviderError('unknown', stage, error.message);
        }
      })
    );
  };
  const asked = Object.fromEntries(questionNames.map((name) => [name, ask(name) ?? lacking[name]]));
  return {
    ...(asked as unknown as Provider),
    capabilities: adapter.capabilities,
    checkCredentials: async (options) => void (await asked.checkCredentials!(undefined, options)),
    readNotification: (headers, body) => adapter.readNotification(account, headers, body),
    readSettlement: adapter.readSettlement ?? (() => undefined),
  };
}

const lacking: Partial<Record<Question, (() => Promise<unknown>) | null>> = {
  listRefunds: null,
  listAccountRefunds: null,
  listPastPayments: null,
  listPastRefunds: null,
  listDisputes: async () => [],
  respondToDispute: async () => {
    const message = 'the provider takes no answers to disputes';
    throw new ProviderError('refused', questions.respondToDispute.stage, message);
  },
  listSettlements: async () => ({ rows: [], next: null }),
  findSettlement: async () => undefined,
};
