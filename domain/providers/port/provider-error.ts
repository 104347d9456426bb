/**
 * `refused`: surely nothing happened, and a repeat will not help. `duplicate`: the reference was
 * accepted before. `retryable`: surely nothing happened, later may work. `limited`: the same,
 * because the provider or our own budget allows no more calls now. `unavailable`: nothing was sent,
 * because the circuit breaker is open. `unknown`: it may have happened.
 *
 * `limited` and `unavailable` say nothing about the subject of the call: it is asked about again,
 * and no try is counted.
 */
export type ProviderErrorKind =
  | 'refused'
  | 'duplicate'
  | 'retryable'
  | 'limited'
  | 'unavailable'
  | 'unknown';

export interface ProviderErrorOptions extends ErrorOptions {
  retryAfterMs?: number | null;
  refusesCredentials?: boolean;
  isOverBudget?: boolean;
}

export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  readonly stage: string;
  /** When the provider or the budget allows the next call; null: unstated. */
  readonly retryAfterMs: number | null;
  readonly refusesCredentials: boolean;
  readonly isOverBudget: boolean;

  constructor(
    kind: ProviderErrorKind,
    stage: string,
    message: string,
    {
      retryAfterMs = null,
      refusesCredentials = false,
      isOverBudget = false,
      ...options
    }: ProviderErrorOptions = {},
  ) {
    super(message, options);
    this.name = 'ProviderError';
    this.kind = kind;
    this.stage = stage;
    this.retryAfterMs = retryAfterMs;
    this.refusesCredentials = refusesCredentials;
    this.isOverBudget = isOverBudget;
  }
}

export function isDeferral({ kind }: Pick<ProviderError, 'kind'>): boolean {
  return kind === 'limited' || kind === 'unavailable';
}

/** For `catch`: an error of the provider is an answer, every other one is thrown on. */
export function onlyProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  throw error;
}
