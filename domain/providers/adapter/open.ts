import type { Account, CallOptions, Capabilities, Provider } from '../port/provider.ts';
import { ProviderError } from '../port/provider-error.ts';
import { type Question, questionNames, questions } from '../port/questions.ts';
import type { Client } from './client.ts';
import { UnclearError } from './read.ts';

type Answer<C, Name extends Question> =
  NonNullable<Provider[Name]> extends (asked: infer Asked, options: CallOptions) => infer Answer
    ? (client: C, asked: Asked) => Answer
    : never;

type Answers<C> = { [Name in Question]: Answer<C, Name> };

/** What an adapter consists of. What its provider lacks is left out. */
export interface Adapter<C extends Client> extends Partial<Answers<C>> {
  capabilities: Capabilities;
  /** Opens a client for each question. */
  clientOf(account: Account): (options: CallOptions, stage: string) => C;
  readNotification(
    account: Account,
    ...notification: Parameters<Provider['readNotification']>
  ): ReturnType<Provider['readNotification']>;
  readSettlement?: Provider['readSettlement'];
}

/** Opens an account. Where a value of an answer is not clear, the outcome is `unknown`. */
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

/** Of a provider that has no such list. */
const lacking: Partial<Record<Question, (() => Promise<unknown>) | null>> = {
  listRefunds: null,
  listAccountRefunds: null,
  listDisputes: async () => [],
  listSettlements: async () => ({ rows: [], next: null }),
  findSettlement: async () => undefined,
};
